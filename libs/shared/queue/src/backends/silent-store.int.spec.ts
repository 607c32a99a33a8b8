// A connection that fell silent is open on both sides, and nothing passes through it any more: nobody hears of it.
import { expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import { startSilentProxy } from '@eas/testing/silent-proxy';
import { openQueues } from './open-queues.ts';

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);

const job = {
  job: 'delivery.send' as const,
  payload: { tenant_id: 'tnt_a', endpoint_id: 'whk_a', event_ids: ['evt_1'] },
};

it('queues send and work again soon after their connections fell silent', async () => {
  const { options } = testQueues;
  const proxy = await startSilentProxy(options.redisUrl ?? options.databaseUrl);
  const place = options.redisUrl ? { redisUrl: proxy.url } : { databaseUrl: proxy.url };
  const queues = await openQueues({ ...options, ...place, logger: silentLogger });
  let worked = 0;
  const { worker, disconnect } = queues.openWorker('webhooks', async () => void (worked += 1), { concurrency: 2 });
  try {
    await queues.send([job]);
    await eventually(() => worked === 1);
    expect(proxy.silence()).toBeGreaterThan(1);
    const silentAt = performance.now();
    const isSent = () =>
      queues.send([job]).then(
        () => true,
        () => false,
      );
    await eventually(isSent, 20_000);
    await eventually(() => worked > 1, silentAt + 40_000 - performance.now());
  } finally {
    await disconnect();
    await worker.close(true);
    await queues.close();
    proxy.close();
  }
});
