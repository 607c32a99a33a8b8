import { pageOf, scopes } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpoint } from './create-endpoint.ts';
import { disableByHand, enableByHand } from './enable-endpoint.ts';
import { endpointCell } from './endpoint.ts';
import type { EndpointRules } from './endpoint-rules.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listEndpoints } from './list-endpoints.ts';

const db = useTestDatabase();
const rules: EndpointRules = {
  vetUrl: (url) => (url.startsWith('https://') ? { isAllowed: true } : { isAllowed: false, message: 'not https' }),
  secretMinLength: 16,
};
const url = 'https://example.com/hook';

describe('registering an endpoint', () => {
  it('returns what was registered, and never the secret that the client brought', async () => {
    const ctx = db.context();
    const body = { url, events: ['task.created', 'pr.*', 'task.created'], secret: 'a secret of the client' };
    const made = await createEndpoint(ctx, { body, scopes }, rules);
    expect(made).toEqual({
      id: expect.stringMatching(/^whk_/),
      url,
      description: null,
      events: ['task.created', 'pr.*'],
      header_names: [],
      ordering: 'none',
      max_per_second: null,
      status: 'active',
      status_reason: null,
      status_changed_at: null,
      failing_since: null,
      failures_in_row: 0,
      last_success_at: null,
      last_failure_at: null,
      previous_secret_until: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.created_at,
    });
    expect(await getEndpoint(ctx, made.id)).toEqual({ body: made, version: 1 });
  });

  it('creates a secret if there is none, shows it once, and stores it sealed', async () => {
    const ctx = db.context();
    const { secret = '', ...made } = await createEndpoint(ctx, { body: { url, events: ['*'] }, scopes }, rules);
    expect(secret).toMatch(/^whsec_/);
    expect(await getEndpoint(ctx, made.id)).toEqual({ body: made, version: 1 });
    const [row] = await ctx.db.query<{ secret: string }>('SELECT secret FROM endpoints WHERE id = $1', [made.id]);
    expect(row?.secret).not.toContain(secret.slice(6));
    expect(ctx.secrets.open(row?.secret ?? '', endpointCell(ctx.tenantId, made.id, 'secret'))).toBe(secret);
  });

  it('keeps headers sealed and shows their names', async () => {
    const ctx = db.context();
    const settings = { description: 'For the board.', ordering: 'task' as const, max_per_second: 20 };
    const body = {
      url,
      events: ['*'],
      ...settings,
      headers: { Authorization: 'Bearer of the receiver', 'x-team': 'a' },
    };
    const made = await createEndpoint(ctx, { body, scopes }, rules);
    expect(made).toMatchObject({ ...settings, header_names: ['Authorization', 'x-team'] });
    expect(JSON.stringify(made)).not.toContain('Bearer');
    const [row] = await ctx.db.query<{ headers: string }>('SELECT headers FROM endpoints WHERE id = $1', [made.id]);
    expect(row?.headers).not.toContain('Bearer');
    const opened = ctx.secrets.open(row?.headers ?? '', endpointCell(ctx.tenantId, made.id, 'headers'));
    expect(JSON.parse(opened)).toEqual(body.headers);
  });

  it('is refused for a suspended tenant, as enabling one is', async () => {
    const tenantId = await db.createTenant();
    const ctx = db.context({ tenantId });
    const { id } = await createEndpoint(ctx, { body: { url, events: ['*'] }, scopes }, rules);
    await disableByHand(ctx, { id, ifMatch: undefined });
    const suspendSql = `UPDATE tenants SET suspended_at = now(), suspended_reason = 'Abuse.' WHERE id = $1`;
    await ctx.db.query(suspendSql, [tenantId]);
    const refusal = { code: 'forbidden', message: 'The tenant is suspended: Abuse.' };
    await expect(createEndpoint(ctx, { body: { url, events: ['*'] }, scopes }, rules)).rejects.toMatchObject(refusal);
    await expect(enableByHand(ctx, { id, ifMatch: undefined })).rejects.toMatchObject(refusal);
    expect(await ctx.db.query('SELECT id, status FROM endpoints WHERE tenant_id = $1', [tenantId])).toEqual([
      { id, status: 'disabled' },
    ]);
  });

  it('names every invalid field, in order', async () => {
    const body = { url: 'http://example.com', events: ['task.created'], secret: 'fifteen letters' };
    const refused = createEndpoint(db.context(), { body, scopes }, rules);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      violations: [
        { field: 'url', constraint: 'format' },
        { field: 'secret', constraint: 'min_length' },
      ],
    });
  });

  it('refuses events that the caller may not read, naming the scope', async () => {
    const body = { url, events: ['task.*', 'workflow.started'] };
    await expect(
      createEndpoint(db.context(), { body, scopes: ['webhooks:write', 'tasks:read'] }, rules),
    ).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('workflows:read') });
  });
});

describe('reading endpoints', () => {
  const tenant = { id: '' };
  const ids: string[] = [];
  const page = (query: Parameters<typeof pageOf>[0], filter = {}) => {
    const ctx = db.context({ tenantId: tenant.id });
    return listEndpoints(ctx, filter, pageOf(query) as Parameters<typeof listEndpoints>[2]);
  };
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  beforeAll(async () => {
    tenant.id = await db.createTenant();
    for (let index = 0; index < 5; index += 1) {
      const body = { url: `${url}/${index % 2}`, events: ['*'] };
      ids.push((await createEndpoint(db.context({ tenantId: tenant.id }), { body, scopes }, rules)).id);
    }
  });

  it('lists newest first, page by page', async () => {
    const newestFirst = [...ids].reverse();
    const first = await page({ limit: 2 });
    expect(first).toMatchObject({ total: 5, nextCursor: expect.any(String) });
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 2));
    expect(idsOf(await page({ limit: 2, offset: 4 }))).toEqual(newestFirst.slice(4));
    expect(idsOf(await page({ limit: 10, offset: 10 }))).toEqual([]);
    const second = await page({ limit: 3, after: newestFirst[1] });
    expect(idsOf(second)).toEqual(newestFirst.slice(2));
    expect(second.nextCursor).toBeNull();
  });

  it('filters and sorts', async () => {
    expect(await page({}, { url: `${url}/1` })).toMatchObject({ total: 2 });
    expect(idsOf(await page({ sort: 'id' }))).toEqual(ids);
    expect(await page({}, { status: 'unheard_of' })).toMatchObject({ total: 0, items: [] });
  });

  it('refuses an after that names no item', async () => {
    await expect(page({ after: 'whk_01ks0000000000000000000000' })).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ field: 'after' }],
    });
  });

  it('finds no endpoint of another tenant', async () => {
    const [id = ''] = ids;
    await expect(getEndpoint(db.context(), id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
