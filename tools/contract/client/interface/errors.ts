// Section 7: status codes, error codes and bodies of the REST API.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { call, type Json, makeKey, post, type Reply } from './call.ts';
import { exactly, itHas, object, text } from './forms.ts';

const archivedWorkflow = {
  name: 'Archived',
  description: 'Starts no run.',
  estimated_duration: '1 hour',
  steps: [{ id: 'a', name: 'A', role: 'rd', needs: [], task: { title: 'A', description: 'A' } }],
};

/** Sends until the limit of the tier is exceeded. */
async function exceedLimit(): Promise<Reply> {
  const key = await makeKey({ scopes: ['tasks:read'], rate_limit: 1 });
  const replies = [];
  // One of three is the second of its minute, also where the minute ends.
  for (let count = 0; count < 3; count += 1) replies.push(await call('/v1/tasks', { key }));
  return replies.find(({ status }) => status === 429) ?? (replies[0] as Reply);
}

const refusals: [number, string, string, () => Promise<Reply>][] = [
  [400, 'invalid_request', 'a malformed request', () => call('/v1/tasks', { body: '{"title":' })],
  [400, 'invalid_request', 'invalid parameters', () => call('/v1/tasks?limit=nonsense')],
  [401, 'unauthorized', 'no credentials', () => call('/v1/tasks', { key: null })],
  [401, 'unauthorized', 'invalid credentials', () => call('/v1/tasks', { key: 'nonsense' })],
  [
    403,
    'forbidden',
    'no permission',
    async () => call('/v1/tasks', { key: await makeKey({ scopes: ['agents:read'] }) }),
  ],
  [404, 'not_found', 'no such agent', () => call('/v1/agents/none')],
  [404, 'not_found', 'no such task', () => call('/v1/tasks/none')],
  [404, 'not_found', 'no such workflow', () => call('/v1/workflows/none/start', { body: { name: 'None' } })],
  [
    409,
    'conflict',
    'the state of the resource',
    async () => {
      const { id } = await post('/v1/workflows', archivedWorkflow);
      await call(`/v1/workflows/${id}/archive`, { method: 'POST' });
      return call(`/v1/workflows/${id}/start`, { body: { name: 'Late' } });
    },
  ],
  [429, 'rate_limited', 'too many requests', exceedLimit],
];

for (const [status, code, what, request] of refusals)
  describe(`7 ${status} ${code}: ${what}`, () => {
    let reply: Reply;
    before(async () => void (reply = await request()));
    it(`${what} is ${status}`, () => assert.equal(reply.status, status, reply.text));
    itHas(what, () => reply.body, {
      'error.code': exactly(code),
      'error.message': text,
      'error.details': object,
      'error.request_id': text,
    });
  });

describe('7 error of a field', () => {
  let body: Json;
  before(async () => {
    ({ body } = await call('/v1/tasks', { body: { title: 'Empty', description: '' } }));
  });
  itHas('an empty required description', () => body, {
    'error.code': exactly('invalid_input'),
    'error.details.field': exactly('description'),
    'error.details.constraint': exactly('required'),
  });
});

describe('7 error of a parameter', () => {
  let body: Json;
  before(async () => {
    ({ body } = await call('/v1/tasks?limit=101'));
  });
  itHas('a limit that is too large', () => body, { 'error.details.field': text, 'error.details.constraint': text });
});
