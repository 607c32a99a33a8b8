import { type SupervisorCall, type SupervisorRefusal, supervisorRequest, type SupervisorResult } from '@eas/contracts';
import { Refusal } from './refusal.ts';

/** Answers the calls among the messages of the gateway; ignores others. */
export const answerGateway =
  (handle: (call: SupervisorCall) => Promise<SupervisorResult>) =>
  (message: unknown, send: (message: object) => void): void => {
    const { success, data } = supervisorRequest.safeParse(message);
    if (!success) return;
    const { type, id, call } = data;
    handle(call).then(
      (result) => send({ type, id, result }),
      (error: unknown) => send({ type, id, refusal: refusalOf(error) }),
    );
  };

function refusalOf(error: unknown): SupervisorRefusal {
  if (error instanceof Refusal) return error.refusal;
  return { code: 'server_error', message: (error as Error).message.slice(0, 1_000) };
}
