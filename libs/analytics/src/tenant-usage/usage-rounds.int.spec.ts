import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createUsageRounds } from './usage-rounds.ts';

const test = useTestDatabase();
const { signal } = new AbortController();
const query = <R extends object>(sql: string) => test.database.db.query<R>(sql);

const idSql = `'tnt_' || lpad(n::text, 26, '0')`;
beforeEach(async () => {
  await query('TRUNCATE tenant_usage, tenant_usage_counts');
  await query(
    `INSERT INTO tenants (id, slug, name) SELECT ${idSql}, 's' || n, 'n' FROM generate_series(1, 300) AS n ON CONFLICT DO NOTHING`,
  );
});
const measured = async () => (await query<{ n: number }>('SELECT count(*) AS n FROM tenant_usage'))[0]?.n;
const tenants = async () => (await query<{ n: number }>('SELECT count(*) AS n FROM tenants'))[0]?.n;

describe('rounds of measuring usage', () => {
  it('measure some tenants with each run, all of them in turn, and begin again', async () => {
    const rounds = createUsageRounds(test.database);
    await rounds.run(signal);
    expect(await measured()).toBe(200);
    await rounds.run(signal);
    expect(await measured()).toBe(await tenants());
    await query('TRUNCATE tenant_usage');
    await rounds.run(signal);
    expect(await measured()).toBe(200);
  });

  it('go on with tenants that have more to count while there is time, else in the next run', async () => {
    await query(
      `INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, created_at)
       SELECT 'tnt_' || lpad((1 + n % 2)::text, 26, '0'), 'evt_' || ulid_prefix('2026-03-02Z') || lpad(n::text, 16, '0'),
         'whk_1', 'dlv_' || n, 'delivered', app_now() FROM generate_series(1, 24000) AS n`,
    );
    await test.shiftClock((Date.parse('2026-03-10T00:00:00Z') - Date.now()) / 1_000);
    const counted = async () =>
      (await query<{ n: number }>('SELECT deliveries AS n FROM tenant_usage ORDER BY n DESC LIMIT 2')).map(
        ({ n }) => n,
      );
    const rounds = createUsageRounds(test.database, { catchUpMs: 0 });
    await rounds.run(signal);
    expect(await counted()).toEqual([5_000, 5_000]);
    await createUsageRounds(test.database).run(signal);
    expect(await counted()).toEqual([12_000, 12_000]);
    await test.shiftClock(0);
  });

  it('go on after a tenant that cannot be measured', async () => {
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
    await query(
      `CREATE TRIGGER refused BEFORE INSERT ON tenant_usage FOR EACH ROW
       WHEN (NEW.tenant_id = 'tnt_00000000000000000000000005') EXECUTE FUNCTION refuse()`,
    );
    const rounds = createUsageRounds(test.database);
    await expect(rounds.run(signal)).rejects.toThrow('no');
    await rounds.run(signal);
    await rounds.run(signal);
    expect(await measured()).toBe(((await tenants()) ?? 0) - 1);
  });
});
