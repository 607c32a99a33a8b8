import { createTenantLoads, recordLoads } from '@eas/db';
import type { Loop } from '@eas/runtime';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isLoud, startReportingLoudest } from '../src/reporting-loudest.ts';

const test = useTestDatabase();
const lines: [fields: Record<string, unknown>, message: string][] = [];
const logger = {
  ...silentLogger,
  info: (fields: object, message: string) => void lines.push([fields as Record<string, unknown>, message]),
};
const loops: Loop[] = [];
afterEach(() => Promise.all(loops.map((loop) => loop.stop())));

describe('the report of the loudest tenants', () => {
  const load = (calls: number) => ({ calls, databaseMs: 0, bytes: 0, received: 0, attempts: 0 });
  const loudest = (shares: readonly number[], weight: number) => ({
    tenants: shares.map((share) => ({ ...load(1), tenantId: 'a', slug: 'a', name: 'a', share })),
    weight,
  });

  it.each([
    ['nothing was done', [], 0, false],
    ['little was done', [0.9], 5_999, false],
    ['tenants have even shares', [0.5, 0.5], 100_000, false],
    ['a single tenant works', [1], 100_000, false],
    ['one has more than half', [0.51, 0.3], 6_000, true],
  ] as const)('when %s', (_, shares, weight, expected) => {
    expect(isLoud(loudest(shares, weight))).toBe(expected);
  });

  it('is one log line for ten minutes, however many processes run', async () => {
    await test.stopClock();
    const [loud, quiet] = [await test.createTenant(), await test.createTenant()];
    const loads = createTenantLoads();
    loads.add(loud, { calls: 9_000 });
    loads.add(quiet, { calls: 1_000 });
    await recordLoads(test.database.db, loads);
    await test.database.db.query(
      `UPDATE tenant_loads SET at = date_bin('10 minutes', app_now() - interval '12 minutes', 'epoch')`,
    );
    for (let process = 0; process < 3; process += 1) loops.push(startReportingLoudest(test.database, { logger }));
    await eventually(async () => lines.length > 0);
    await Promise.all(loops.map((loop) => loop.stop()));
    expect(lines).toHaveLength(1);
    const [fields, message] = lines[0] ?? [];
    expect(message).toBe('one tenant makes most of the load');
    expect(fields?.['tenants']).toEqual([
      { ...load(9_000), tenantId: loud, slug: loud.slice(-12), percent: 90 },
      { ...load(1_000), tenantId: quiet, slug: quiet.slice(-12), percent: 10 },
    ]);
  });
});
