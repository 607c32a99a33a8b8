import { defaultTenantId } from '@eas/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const path = '/admin/api/usage';
const gateway = useGateway();
let tenants: string[] = [];

const insertSql = `
  INSERT INTO tenant_usage (tenant_id, month, events, input_tokens, cost, storage_bytes, storage_byte_days, storage_days, closed_at)
  SELECT tenant_id, date '2020-11-01' - ago * interval '1 month', 10 * n, 5000000000 * n, 250000 * n, 900, 1000, 2,
    CASE WHEN ago > 0 THEN now() END
  FROM unnest($1::text[]) WITH ORDINALITY AS t (tenant_id, n), generate_series(0, 2) AS ago`;

beforeAll(async () => {
  tenants = [];
  for (let made = 0; made < 5; made += 1) tenants.push(await gateway.test.createTenant());
  await gateway.test.database.db.query(insertSql, [tenants]);
  await gateway.test.database.db.query(`UPDATE tenants SET name = '=SUM(1)' WHERE id = $1`, [tenants[0]]);
  const unmeasured = `UPDATE tenant_usage SET storage_days = 0 WHERE tenant_id = $1 AND closed_at IS NULL`;
  await gateway.test.database.db.query(unmeasured, [tenants[4]]);
});

async function readAll(query: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { status, body } = await gateway.get(`${path}?${query}&limit=2&after=${after}`);
    expect(status).toBe(200);
    rows.push(...body.data);
    after = body.pagination.next_cursor;
  }
  return rows;
}

describe('the usage of tenants', () => {
  it('is listed for a month, with their names', async () => {
    const { status, body } = await gateway.get(`${path}?month=2020-10&sort=events`);
    expect(status).toBe(200);
    expect(body.metadata.total).toBe(5);
    expect(body.data[0]).toMatchObject({
      tenant_id: tenants[0],
      name: '=SUM(1)',
      month: '2020-10',
      events: 10,
      input_tokens: 5_000_000_000,
      model_cost_usd: 0.25,
      storage_bytes: 900,
      average_storage_bytes: 500,
    });
    expect(body.data[0].closed_at).toMatch(/Z$/);
  });

  it.each(['slug', '-events', 'input_tokens', '-model_cost_usd', 'storage_bytes', '-average_storage_bytes', 'name'])(
    'is sorted by %s, over pages of any size',
    async (sort) => {
      const rows = await readAll(`month=2020-11&sort=${sort}`);
      expect(rows.map(({ tenant_id: id }) => id).sort()).toEqual([...tenants].sort());
      const field = sort.replace('-', '');
      const values = rows.map((row) => row[field]).filter((value) => typeof value === 'number');
      // One was not measured yet, and is last.
      if (field.endsWith('storage_bytes')) expect(rows.at(-1)?.[field]).toBeNull();
      const sign = sort.startsWith('-') ? -1 : 1;
      expect(values).toEqual([...values].sort((a, b) => sign * (a - b)));
    },
  );

  it('is listed for a tenant, the latest month first', async () => {
    const rows = await readAll(`tenant_id=${tenants[1]}`);
    expect(rows.map(({ month, closed_at: at }) => [month, at === null])).toEqual([
      ['2020-11', true],
      ['2020-10', false],
      ['2020-09', false],
    ]);
    const one = await gateway.get(`${path}?tenant_id=${tenants[1]}&month=2020-09`);
    expect(one.body.data).toHaveLength(1);
  });

  it('is that of the current month when nothing is asked for', async () => {
    await gateway.test.database.db.query(
      `INSERT INTO tenant_usage (tenant_id, month) VALUES ($1, date_trunc('month', app_now() AT TIME ZONE 'UTC')) ON CONFLICT DO NOTHING`,
      [tenants[3]],
    );
    const rows = await readAll('sort=-month');
    expect(rows.map(({ tenant_id: id }) => id)).toContain(tenants[3]);
    expect(new Set(rows.map(({ month }) => month))).toEqual(new Set([new Date().toISOString().slice(0, 7)]));
    expect((await gateway.get(`${path}.csv`)).headers.get('content-disposition')).toContain('usage-of-this-month.csv');
  });

  it('is a table in CSV, with texts that are no formulas', async () => {
    const { status, text, headers } = await gateway.get(`${path}.csv?month=2020-11`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="usage-2020-11.csv"');
    const [head, ...rows] = text.split('\r\n');
    expect(head).toMatch(/^tenant_id,slug,name,month,tasks_created,.*,average_storage_bytes,closed_at$/);
    expect(rows.filter((row) => row !== '')).toHaveLength(5);
    expect(text).toContain("'=SUM(1)");
    const ofTenant = await gateway.get(`${path}.csv?tenant_id=${tenants[1]}`);
    expect(ofTenant.text.match(/2020-/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['month=2020-13', { field: 'month', constraint: 'pattern' }],
    ['month=2020-1', { field: 'month', constraint: 'pattern' }],
    ['month=0000-01', { field: 'month', constraint: 'pattern' }],
    ['month=2020-11-01', { field: 'month', constraint: 'max_length' }],
    ['month=9999-12', { field: 'month', constraint: 'max' }],
    [`month=9999-12&tenant_id=${defaultTenantId}`, { field: 'month', constraint: 'max' }],
    ['tenant_id=tnt_none', { field: 'tenant_id', constraint: 'format' }],
    ['tenant_id=', { field: 'tenant_id', constraint: 'required' }],
    [`tenant_id=${'x'.repeat(65)}`, { field: 'tenant_id', constraint: 'max_length' }],
    ['tenant_id=a%00b', { field: 'tenant_id', constraint: 'format' }],
  ])('refuses the query "%s" with the field and the rule, in the list and in the table', async (query, details) => {
    for (const url of [`${path}?${query}`, `${path}.csv?${query}`])
      expectError(await gateway.get(url), 400, 'invalid_request', details);
  });

  it.each([
    ['sort=closed_at', { field: 'sort', constraint: 'enum' }],
    ['limit=0', { field: 'limit', constraint: 'min' }],
    ['after=v1.W10', { field: 'after', constraint: 'format' }],
    ['format=csv', { field: 'format', constraint: 'unknown_field' }],
  ])('refuses the list with %s', async (query, details) => {
    expectError(await gateway.get(`${path}?month=2020-11&${query}`), 400, 'invalid_request', details);
  });

  it('refuses a cursor with a number that no figure has', async () => {
    const cursor = Buffer.from(JSON.stringify(['events', 'x', 1e300])).toString('base64url');
    const response = await gateway.get(`${path}?month=2020-11&sort=events&after=v1.${cursor}`);
    expectError(response, 400, 'invalid_request', { field: 'after', constraint: 'format' });
  });

  it('is for the operator alone', async () => {
    const others = [
      await gateway.makeKey(['admin'], { tenantId: tenants[0] as string }),
      await gateway.makeKey(['analytics:read']),
    ];
    for (const key of others)
      for (const url of [`${path}?month=2020-11`, `${path}.csv?month=2020-11`, `${path}?tenant_id=${tenants[0]}`])
        expectError(await gateway.get(url, { key }), 403, 'forbidden');
  });
});

describe('the usage of a tenant itself', () => {
  it('has its own months and no others, the latest first', async () => {
    const key = await gateway.makeKey(['analytics:read'], { tenantId: tenants[2] as string });
    const { status, body } = await gateway.get('/v1/usage', { key });
    expect(status).toBe(200);
    expect(body.metadata.total).toBe(3);
    expect(body.data.map((row: Json) => [row.month, row.events])).toEqual([
      ['2020-11', 30],
      ['2020-10', 30],
      ['2020-09', 30],
    ]);
    expect(body.data[0]).not.toHaveProperty('tenant_id');
    const first = await gateway.get('/v1/usage?limit=1&after=&sort=month', { key });
    expect(first.body.data[0].month).toBe('2020-09');
    const second = await gateway.get(`/v1/usage?limit=1&sort=month&after=${first.body.pagination.next_cursor}`, {
      key,
    });
    expect(second.body.data[0].month).toBe('2020-10');
    expect((await gateway.get('/v1/usage?month=2020-10', { key })).body.data).toHaveLength(1);
  });

  it('is empty before anything was measured, and refuses what is no month', async () => {
    const key = await gateway.makeKey(['analytics:read'], { tenantId: await gateway.test.createTenant() });
    expect((await gateway.get('/v1/usage', { key })).body.data).toEqual([]);
    const details = { field: 'month', constraint: 'pattern' };
    expectError(await gateway.get('/v1/usage?month=November', { key }), 400, 'invalid_request', {
      ...details,
      constraint: 'max_length',
    });
    expectError(await gateway.get('/v1/usage?month=2020-00', { key }), 400, 'invalid_request', details);
    const later = { field: 'month', constraint: 'max' };
    expectError(await gateway.get('/v1/usage?month=9999-01', { key }), 400, 'invalid_request', later);
  });
});
