import { expect, it } from '@jest/globals';
import { answerGateway } from './answer-gateway.ts';
import { Refusal } from './refusal.ts';

const state = { checking: false, agents: [], runners: [] };
const request = { type: 'local_runners', id: 7, call: { call: 'list' } };

/** What is sent for a message. */
async function sentFor(message: unknown, handle: Parameters<typeof answerGateway>[0]): Promise<object[]> {
  const sent: object[] = [];
  answerGateway(handle)(message, (one) => sent.push(one));
  await new Promise(setImmediate);
  return sent;
}

it('a call of the gateway gets its result, or why it is refused', async () => {
  const { type, id } = request;
  expect(await sentFor(request, async () => ({ state }))).toEqual([{ type, id, result: { state } }]);
  const refusal = { code: 'conflict', message: 'No.' } as const;
  expect(await sentFor(request, () => Promise.reject(new Refusal('conflict', 'No.')))).toEqual([{ type, id, refusal }]);
  const failed = { code: 'server_error', message: 'ENOSPC' };
  expect(await sentFor(request, () => Promise.reject(new Error('ENOSPC')))).toEqual([{ type, id, refusal: failed }]);
});

it.each([
  [{ type: 'ready' }],
  ['text'],
  [{ ...request, call: { call: 'stop', agent_id: '../..' } }],
  [{ ...request, call: { call: 'run', command: 'sh' } }],
])('%j is no call, and is left alone', async (message) => {
  expect(await sentFor(message, () => Promise.reject(new Error('was called')))).toEqual([]);
});
