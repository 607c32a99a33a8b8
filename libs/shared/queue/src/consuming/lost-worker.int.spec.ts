import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { outboxDrained, silentLogger, useTestDatabase } from '@eas/testing';
import { useQueues } from '@eas/testing/queues';
import type { EventHandler } from './handlers.ts';
import { appendReceipts, createEffects, effectCounts, recordEffects, startInboundWorker } from './consumer.fixture.ts';

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);

it('a job whose worker was killed runs again elsewhere within 25 s, and that try is counted', async () => {
  const ctx = testDatabase.context();
  await createEffects(ctx);
  const ids = await appendReceipts(ctx, ['one', 'two']);
  await testQueues.queues.send([{ job: 'inbound.apply', payload: { tenant_id: ctx.tenantId, event_ids: ids } }]);

  const script = join(import.meta.dirname, 'stuck-worker.fixture.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(testQueues.options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const counted: number[] = [];
  const handle: EventHandler = async (inner, events) => {
    const rows = await ctx.db.query<{ attempts: number }>('SELECT attempts FROM outbox');
    counted.push(...rows.map(({ attempts }) => attempts));
    await recordEffects(inner, events);
  };
  const worker = await startInboundWorker(testQueues.queues, handle, {
    makeContext: ({ tenantId, signal }) => testDatabase.context({ tenantId, signal }),
    concurrency: 1,
    logger: silentLogger,
  });
  await outboxDrained(testDatabase.database);
  await worker.drain(2_000);
  expect(counted).toEqual([1, 1]);
  expect(await effectCounts(ctx)).toEqual(new Map(ids.map((id) => [id, 1])));
});
