import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireWritable } from './archive.ts';
import { auditHistory, sweepTenantHistory, type TenantHistorySweep } from './tenant-history.sweeper.ts';

const test = useTestDatabase();
const query = <Row extends object>(sql: string, values: unknown[] = []) => test.database.db.query<Row>(sql, values);

let folder: string;
let tenants: [string, string];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'eas-archive-'));
  tenants = [await test.createTenant(), await test.createTenant()].sort() as [string, string];
  for (const tenant of tenants) await addEntries(tenant, [1, 29, 31, 50, 100]);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await query(`UPDATE tenants SET removed_at = app_now() WHERE id = ANY($1)`, [tenants]);
});

const entriesSql = `
  INSERT INTO audit_log (tenant_id, id, action, actor_id, data, created_at)
  SELECT $1, 'adt_' || lpad(n::text, 26, '0'), 'queue.changed', 'system', '{"text": "ä\\n"}', now() - age * interval '1 day'
  FROM unnest($2::int[]) WITH ORDINALITY AS a (age, n)`;
const addEntries = (tenant: string, ages: number[]) => query(entriesSql, [tenant, ages]);

const setDays = (tenant: string, days: number) =>
  query('UPDATE tenants SET retention = $2 WHERE id = $1', [tenant, { auditDays: days }]);

/** The ages of what is left. */
async function ages(tenant: string): Promise<number[]> {
  const sql = `SELECT extract(day FROM now() - created_at)::int AS age FROM audit_log WHERE tenant_id = $1 ORDER BY 1`;
  return (await query<{ age: number }>(sql, [tenant])).map(({ age }) => age);
}

async function sweep(options: Partial<TenantHistorySweep> = {}): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const onRemoved = (tenant: string, rows: number) => void (removed[tenant] = rows);
  const { signal } = new AbortController();
  await sweepTenantHistory(test.database.db, auditHistory, {
    days: 0,
    exportFolder: folder,
    onRemoved,
    signal,
    ...options,
  });
  return removed;
}

const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
const linesOf = (name: string) =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });

describe('old rows of tenants', () => {
  it('stay where neither the tenant nor the installation has a limit', async () => {
    expect([await sweep(), files()]).toEqual([{}, []]);
    expect(await ages(tenants[0])).toHaveLength(5);
  });

  it('go at the age that their tenant has, else at that of the installation, and are in a file of each tenant', async () => {
    const [one, other] = tenants;
    await setDays(one, 90);
    expect(await sweep({ days: 40 })).toEqual({ [one]: 1, [other]: 2 });
    expect([await ages(one), await ages(other)]).toEqual([
      [1, 29, 31, 50],
      [1, 29, 31],
    ]);
    const found = files().sort();
    expect(found.map((name) => name.slice(0, one.length))).toEqual(tenants);
    expect(found.flatMap(linesOf).map(({ table, row }) => [table, row['tenant_id'], row['data']])).toEqual(
      [one, other, other].map((tenant) => ['audit_log', tenant, { text: 'ä\n' }]),
    );
  });

  it('go without a file where none is wanted', async () => {
    expect(await sweep({ days: 40, exportFolder: undefined })).toEqual({ [tenants[0]]: 2, [tenants[1]]: 2 });
    expect(files()).toEqual([]);
  });

  it('are removed in batches, and each row is in the file once', async () => {
    await addEntriesOf(tenants[0], 2_500);
    await setDays(tenants[0], 200);
    expect(await sweep()).toEqual({ [tenants[0]]: 2_500 });
    const [file = ''] = files();
    expect(new Set(linesOf(file).map(({ row }) => row['id'])).size).toBe(2_500);
    expect([linesOf(file).length, files().length]).toEqual([2_500, 1]);
  });

  it('stay when their file cannot be written', async () => {
    writeFileSync(join(folder, tenants[0]), '');
    await expect(sweep({ days: 40 })).rejects.toThrow('EEXIST');
    expect(await ages(tenants[0])).toHaveLength(5);
  });

  it('stay in the audit log for 30 days, whatever is asked of the database', async () => {
    const [one] = tenants;
    await expect(sweep({ days: 10 })).rejects.toThrow('audit_log is append-only');
    expect(await ages(one)).toEqual([1, 29, 31, 50, 100]);
  });
});

describe('the folder of the export', () => {
  it('is refused when no file can be written to it', async () => {
    await expect(requireWritable(join(folder, 'missing'), 'RETENTION_EXPORT_DIR')).rejects.toThrow(
      `RETENTION_EXPORT_DIR: files cannot be written to ${join(folder, 'missing')}.`,
    );
    await expect(requireWritable(folder, 'RETENTION_EXPORT_DIR')).resolves.toBeUndefined();
  });
});

async function addEntriesOf(tenant: string, count: number): Promise<void> {
  await query(
    `INSERT INTO audit_log (tenant_id, id, action, actor_id, created_at)
    SELECT $1, 'adt_old' || lpad(n::text, 23, '0'), 'queue.changed', 'system', now() - interval '300 days'
    FROM generate_series(1, $2::int) AS n`,
    [tenant, count],
  );
}
