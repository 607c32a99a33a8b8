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
  expectError(await gateway.get(`/v1/tasks/${id}/timeline?${query}`), 431, 'invalid_request');
});

it('an address for Slack that is not https is 400', async () => {
  const slack = { type: 'slack', workspace_name: 'acme', webhook_url: 'http://hooks.example.com/x' };
  expectError(await post('/v1/integrations', slack), 400, 'invalid_input', {
    field: 'webhook_url',
    constraint: 'format',
  });
});

it.each(['task.nothing', 'task', 'nothing.*', 'task.created.*', '**'])(
  'a subscription to %s is refused, and the error lists the types',
  async (subscription) => {
    const refused = await post('/v1/webhooks', { url: 'https://example.com', events: ['task.created', subscription] });
    expectError(refused, 400, 'invalid_input', { field: 'events.1', constraint: 'enum' });
    for (const type of [...subscribableEventTypes, 'task.*', 'workflow.*', '*'])
      expect(refused.body.error.message).toContain(type);
    const slack = {
      type: 'slack',
      workspace_name: 'acme',
      webhook_url: 'https://h.example.com',
      events: [subscription],
    };
    expectError(await post('/v1/integrations', slack), 400, 'invalid_input', { field: 'events.0', constraint: 'enum' });
  },
);
