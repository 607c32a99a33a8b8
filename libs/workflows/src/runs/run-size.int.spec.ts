import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { openScene } from '../../test/scene.ts';
import { readRunSizes } from './run-size.read-model.ts';

const test = useTestDatabase();

it('the size of a run is that of its parameters and results, for every event of it', async () => {
  const { ctx, start } = await openScene(test, [{ id: 'a' }]);
  for (let count = 0; count < 16; count += 1) await start();
  const large = await start({ text: 'x'.repeat(30_000) });
  await ctx.db.query(
    `UPDATE run_steps SET result = jsonb_build_object('text', repeat('x', 10000)) WHERE tenant_id = $1 AND run_id = $2`,
    [ctx.tenantId, large],
  );
  const events = await ctx.db.query<{ id: string; runId: string }>(
    `SELECT event_id AS id, facts ->> 'run_id' AS "runId" FROM events WHERE tenant_id = $1 AND facts ->> 'run_id' IS NOT NULL`,
    [ctx.tenantId],
  );
  const ids = events.map(({ id }) => id);
  const sizes = await readRunSizes(ctx, ids);
  for (const { id, runId } of events) {
    const bytes = sizes.get(id) ?? 0;
    expect(bytes > 40_000).toBe(runId === large);
    expect(bytes).toBeLessThan(runId === large ? 41_000 : 100);
  }
  // Few events are not measured.
  expect(await readRunSizes(ctx, ids.slice(0, 16))).toEqual(new Map());
});
