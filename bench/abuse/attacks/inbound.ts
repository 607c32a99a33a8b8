import { createHmac, randomBytes } from 'node:crypto';
import { type Attack, call, hammer, rest, type Target } from './attack.ts';

const secret = 'a secret of the attacker';

async function connectPlatform(target: Target): Promise<void> {
  const integration = { type: 'taskplatform', secret, webhook_id: 'attack' };
  const { status } = await call(target, 'POST', '/v1/integrations', integration);
  if (status !== 201) throw new Error(`the integration was not made: ${status}`);
  // A receiver caches secrets for two seconds.
  await rest(2_500, target.signal);
}

async function send({ url, signal }: Target, body: object): Promise<{ status: number }> {
  const text = JSON.stringify(body);
  const headers = { 'x-signature': createHmac('sha256', secret).update(text).digest('hex') };
  const response = await fetch(`${url}/webhook/taskplatform`, { method: 'POST', headers, body: text, signal });
  await response.arrayBuffer();
  return response;
}

const unique = () => randomBytes(8).toString('hex');
const tagsNamed = (count: number) => Array.from({ length: count }, (_, number) => ({ name: `${unique()}${number}` }));

/** Work grew with the square of the number of tags. */
export const manyTags: Attack = {
  name: 'many-tags',
  about: 'signed receipts of 266 KB with thousands of tag changes',
  allowed: [200, 400, 429],
  prepare: connectPlatform,
  run: (target) =>
    hammer(target, 2, () => {
      const items = Array.from({ length: 40 }, () => ({
        id: unique(),
        field: 'tag',
        date: String(Date.now()),
        after: tagsNamed(150),
        before: [],
      }));
      const event = { event: 'taskTagUpdated', task_id: unique(), webhook_id: 'attack', history_items: items };
      return send(target, event);
    }),
};

/** Batches were limited by rows alone. */
export const fatReceipts: Attack = {
  name: 'fat-receipts',
  about: 'signed receipts of 4.5 MB, at most 120',
  allowed: [200, 413, 429],
  prepare: connectPlatform,
  run: async (target) => {
    let sent = 0;
    const filler = 'x'.repeat(4_500_000);
    await hammer(target, 2, async () => {
      sent += 1;
      if (sent > 120) await rest(60_000, target.signal);
      if (target.signal.aborted) throw new Error('over');
      const item = { id: unique(), field: 'name', date: String(Date.now()), after: 'A name' };
      return send(target, {
        event: 'taskUpdated',
        task_id: unique(),
        webhook_id: 'attack',
        history_items: [item],
        data: { description: filler.slice(0, 900_000), filler: filler.slice(900_000) },
      });
    });
  },
};

/** Many candidate secrets for a signature used to evict those of other tenants. */
export const manyIntegrations: Attack = {
  name: 'many-integrations',
  about: 'integrations without a webhook id, more than a signature is tried against',
  allowed: [201, 409, 429],
  run: (target) =>
    hammer(target, 2, () => call(target, 'POST', '/v1/integrations', { type: 'taskplatform', secret: unique() })),
};
