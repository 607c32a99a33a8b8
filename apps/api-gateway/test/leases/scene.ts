import type { Gateway, Json } from '../gateway.ts';

let scenes = 0;

/** An agent with a unique role and a key of its own. */
export async function openScene(gateway: Gateway, agent: object = {}) {
  scenes += 1;
  const role = `work-${scenes}`;
  const { id } = await gateway.make('/v1/agents', { name: role, role, ...agent });
  const key = await gateway.makeKey(['agent:self'], { agentId: id });
  const addTask = (more: object = {}) =>
    gateway.make('/v1/tasks', { title: 'Work', description: 'Do it.', assigned_role: role, ...more });
  const claim = (body: object = {}, headers: Record<string, string> = {}) =>
    gateway.post(`/v1/agents/${id}/claims`, body, { key, headers });
  const call = (lease: Json, verb: string, body: object = {}) =>
    gateway.post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body }, { key });
  const readTask = async (taskId: string): Promise<Json> => (await gateway.get(`/v1/tasks/${taskId}`)).body;
  const readAgent = async (): Promise<Json> => (await gateway.get(`/v1/agents/${id}`)).body;
  const readTimeline = async (taskId: string, type: string): Promise<Json[]> =>
    (await gateway.get(`/v1/tasks/${taskId}/timeline?sort=seq&type=${type}`)).body.data;
  /** A new task under a lease of the agent. */
  const begin = async (more: object = {}) => {
    const task = await addTask(more);
    const { body } = await claim();
    return { task, lease: body.lease as Json, body };
  };
  return { role, id, key, addTask, claim, call, readTask, readAgent, readTimeline, begin };
}

/** One call of every kind, as an agent would make it. */
export const calls: readonly [verb: string, body: object][] = [
  ['heartbeat', {}],
  ['progress', { percent_complete: 40, comment: 'c' }],
  ['checkpoint', { data: { branch: 'fix' } }],
  ['session/entries', { first: 1, entries: [{ kind: 'text', text: 't' }] }],
  ['model-calls', { call_id: 'c', model: 'm', input_tokens: 1, max_output_tokens: 1 }],
  ['artifacts', { kind: 'link', url: 'https://example.com' }],
  ['inputs', { kind: 'question', prompt: 'Which?' }],
  ['resume', {}],
  ['acknowledge', { directive_ids: [] }],
  ['complete', { summary: 's' }],
  ['fail', { reason: 'r' }],
  ['release', {}],
  ['handoff', { to: { role: 'qa' }, summary: 's' }],
];
