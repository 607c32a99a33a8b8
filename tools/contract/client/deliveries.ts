// Part of rest.test.ts: results of deliveries to a webhook, and how to repeat them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { before, describe, it } from 'node:test';
import { api, done, ok, path, refused, until } from './api.ts';

/** A port that nothing listens on any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export const testDeliveries = () =>
  describe('deliveries', () => {
    let webhook = path('webhook_id', '');
    let deliveryId = '';
    before(async () => {
      // Nothing listens there: each attempt fails at once.
      const body = { url: `http://127.0.0.1:${await closedPort()}/`, events: ['task.created' as const] };
      webhook = path('webhook_id', (await ok(api.POST('/v1/webhooks', { body }), 201)).id);
      const task = { title: 'Receiver is down', description: 'Its event is not delivered.' };
      const { id } = await ok(api.POST('/v1/tasks', { body: task }), 201);
      // No agent of another test gets it.
      await done(api.DELETE('/v1/tasks/{task_id}', path('task_id', id)));
      const query = { limit: 1, sort: '-event_id' } as const;
      await until(async () => {
        const params = { ...webhook.params, query };
        const { data } = await ok(api.GET('/v1/webhooks/{webhook_id}/deliveries', { params }));
        deliveryId = data[0]?.id ?? '';
        return (data[0]?.attempts ?? 0) > 0;
      });
    });

    it('are read with their attempts, and listed with their event', async () => {
      const delivery = await ok(api.GET('/v1/deliveries/{delivery_id}', path('delivery_id', deliveryId)));
      assert.equal(delivery.history[0]?.number, 1);
      assert.equal(delivery.request.headers['webhook-id'], delivery.event_id);
      const event = await ok(api.GET('/v1/events/{event_id}', path('event_id', delivery.event_id)));
      assert.ok(event.deliveries?.some(({ delivery_id: id }) => id === deliveryId));
    });

    it('are counted when they are dead', async () => {
      const query = { created_after: '2026-01-01T00:00:00Z' };
      const { data } = await ok(api.GET('/v1/deliveries/dead', { params: { query } }));
      assert.ok(data.every(({ count }) => count > 0));
    });

    it('are resent', async () => {
      const resend = () => api.POST('/v1/deliveries/{delivery_id}/resend', path('delivery_id', deliveryId));
      // A worker may have it at this moment.
      await until(async () => (await resend()).response.status === 200);
    });

    it('are not needed: events can be pulled', async () => {
      const pull = (after?: string) =>
        ok(
          api.GET('/v1/webhooks/{webhook_id}/events', {
            params: { ...webhook.params, query: { limit: 1, wait_seconds: 1, ...(after ? { after } : {}) } },
          }),
        );
      let page = await pull();
      while (page.data.length === 0 && page.has_more) page = await pull(page.next_cursor);
      assert.equal(page.data[0]?.event_type, 'task.created');
    });

    it('are replayed', async () => {
      const one = '/v1/replays/{replay_id}';
      const filter = { statuses: ['pending' as const, 'dead' as const] };
      const preview = await api.POST('/v1/webhooks/{webhook_id}/replays', { ...webhook, body: { dry_run: true } });
      assert.equal(preview.response.status, 200);
      const body = { filter, max_per_second: 1 };
      const made = await ok(api.POST('/v1/webhooks/{webhook_id}/replays', { ...webhook, body }), 201);
      assert.ok('id' in made);
      const replay = path('replay_id', made.id);
      assert.equal((await ok(api.GET(one, replay))).webhook_id, webhook.params.path.webhook_id);
      await until(async () => (await ok(api.GET(one, replay))).status === 'completed');
      await refused(api.POST('/v1/replays/{replay_id}/cancel', replay), 409);
      assert.equal((await ok(api.GET('/v1/webhooks/{webhook_id}/replays', webhook))).data[0]?.id, made.id);
    });
  });
