import { subscribableEventTypes } from '@eas/contracts';
import { expect, it } from '@jest/globals';
import { expectError, useGateway } from './gateway.ts';

const gateway = useGateway();
const post = (path: string, body: object) => gateway.send('POST', path, JSON.stringify(body));

it('an If-Match longer than the contract has it is 400', async () => {
  const { id } = await gateway.make('/v1/tasks', { title: 't', description: 'd' });
  const change = (tags: string) =>
    gateway.send('PATCH', `/v1/tasks/${id}`, JSON.stringify({ title: 'u' }), { headers: { 'if-match': tags } });
  const tags = `"1"${', "7"'.repeat(250)}`;
  expectError(await change(tags), 400, 'invalid_request', { field: 'If-Match', constraint: 'max_length' });
  expect((await change(tags.slice(0, 998))).status).toBe(200);
});

it('null in expires_at is as good as none', async () => {
  const made = await post('/admin/api/keys', { name: 'k', scopes: ['tasks:read'], expires_at: null });
  expect([made.status, made.body.expires_at]).toEqual([201, null]);
});

it('filters that are too long together are 431 in the envelope', async () => {
  const filters = ['from', 'to', 'content', 'author', 'reason', 'status', 'kind', 'prompt', 'answer', 'comment'];
  const query = filters.map((name) => `${name}=${encodeURIComponent('é'.repeat(500))}`).join('&');
  const { id } = await gateway.make('/v1/tasks', { title: 't', description: 'd' });
  expectError(await gateway.get(`/v1/tasks/${id}/timeline?${query}`, { isDirect: true }), 431, 'invalid_request');
});

it.each([
  ['ftp://hooks.example.com/x', 'must start with https://.'],
  ['hooks.example.com', 'must be an absolute URL, such as https://example.com/hooks.'],
])('the address %s is 400 for a chat as for a webhook, and the error says what is needed', async (address, rule) => {
  const slack = { type: 'slack', workspace_name: 'acme', webhook_url: address };
  const webhook = { url: address, events: ['*'] };
  for (const [path, body, field] of [
    ['/v1/integrations', slack, 'webhook_url'],
    ['/v1/webhooks', webhook, 'url'],
  ] as const) {
    const refused = await post(path, body);
    expectError(refused, 400, 'invalid_input', { field, constraint: 'format' });
    expect(refused.body.error.message).toBe(`${field} ${rule}`);
  }
});

it.each(['task.nothing', 'task', 'nothing.*', 'task.created.*', '**'])(
  'a subscription to %s is refused, and the error lists the types',
  async (subscription) => {
    const refused = await post('/v1/webhooks', { url: 'https://example.com', events: ['task.created', subscription] });
    expectError(refused, 400, 'invalid_input', { field: 'events.1', constraint: 'enum' });
    const slack = {
      type: 'slack',
      workspace_name: 'acme',
      webhook_url: 'https://h.example.com',
      events: [subscription],
    };
    const refusedChat = await post('/v1/integrations', slack);
    expectError(refusedChat, 400, 'invalid_input', { field: 'events.0', constraint: 'enum' });
    for (const type of [...subscribableEventTypes, 'task.*', 'workflow.*', '*'])
      for (const { body } of [refused, refusedChat]) expect(body.error.message).toContain(type);
  },
);
