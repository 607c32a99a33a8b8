// The API of the system, as a client calls it.
import type { OwnSystem } from '@eas/testing/own-system';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type Json = any;

export function apiOf({ baseUrl, apiKey }: Pick<OwnSystem, 'baseUrl' | 'apiKey'>) {
  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    call,
    get: async (path: string): Promise<Json> => (await call('GET', path)).body,
    /** Decides about what the agent of a task asks to do. */
    async decidePermission(taskId: string, decision: string): Promise<void> {
      const [input] = (await call('GET', `/v1/inputs?task_id=${taskId}&status=pending`)).body.data;
      const answered = await call('POST', `/v1/inputs/${input?.id}/answer`, { decision });
      if (input?.kind !== 'permission' || answered.status >= 300)
        throw new Error(`The permission was not decided: ${JSON.stringify([input, answered.body])}`);
    },
    /** Answers the question of a task, or the first field of its form, and gives it. */
    async answerQuestion(taskId: string, answer: string): Promise<Json> {
      const [input] = (await call('GET', `/v1/inputs?task_id=${taskId}`)).body.data;
      const [field = ''] = Object.keys(input?.form?.properties ?? {});
      const said = field === '' ? { answer } : { content: { [field]: answer } };
      const answered = await call('POST', `/v1/inputs/${input?.id}/answer`, said);
      if (answered.status >= 300) throw new Error(`The answer was refused: ${JSON.stringify(answered.body)}`);
      return input;
    },
  };
}
