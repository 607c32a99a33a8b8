import { keyStatuses, mintKeyBody, type Scope, scopes } from '@eas/contracts';
import { openDatabase, type UseCaseContext } from '@eas/db';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  changeApiKey,
  createApiKey,
  createAuthenticator,
  ensureBootstrapKey,
  getApiKey,
  listApiKeys,
  mintApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../index.ts';

const test = useTestDatabase();
const giver = { scopes, rateLimit: 10_000 };
const anyVersion = { ifMatch: undefined };
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/**
 * Stops the database's clock for the test: only the clocks of processes move, so that a short expiry is still valid
 * when it is shown.
 */
async function stopClock(): Promise<void> {
  await test.stopClock();
  open.push(() => test.startClock());
}

type Ages = { freshMs?: number; staleMs?: number };

/** Another process: its own connections, listener and memory. */
async function replica(ages: Ages = {}) {
  const options = { url: test.url, poolSize: 2, applicationName: 'replica', logger: silentLogger };
  const database = await openDatabase(options);
  open.push(() => database.close());
  let isListening = false;
  database.listener.on('access', () => (isListening = true));
  await eventually(() => isListening);
  return authenticatorOn(database, ages);
}

/** A process that receives no notification. */
const deafReplica = (ages: Ages = {}) =>
  authenticatorOn({ db: test.database.db, listener: { on: () => () => {}, close: async () => {} } }, ages);

function authenticatorOn(database: Parameters<typeof createAuthenticator>[0]['database'], ages: Ages) {
  const authenticator = createAuthenticator({ database, logger: silentLogger, ...ages });
  open.push(() => authenticator.close());
  return {
    ask: async (key: string) => authenticator.authenticate({ 'x-api-key': key }),
    isLetIn: async (key: string) => {
      try {
        await authenticator.authenticate({ 'x-api-key': key });
        return true;
      } catch {
        return false;
      }
    },
  };
}

const make = (ctx: UseCaseContext, over: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  createApiKey(ctx, { name: 'k', scopes: ['tasks:read'], ...over });
const mint = (ctx: UseCaseContext, over: object = {}, own: readonly Scope[] = scopes) =>
  mintApiKey(ctx, {
    body: mintKeyBody.parse({ name: 'k', scopes: ['tasks:read'], ...over }),
    giver: { scopes: own, rateLimit: 10_000 },
  });

describe('a revoked key', () => {
  it('is refused by every process, at once if the notification arrives', async () => {
    const ctx = test.context();
    const { id, key } = await make(ctx);
    const forEver = { freshMs: 600_000, staleMs: 600_000 };
    const [one, two] = [await replica(forEver), await replica(forEver)];
    expect(await Promise.all([one.isLetIn(key), two.isLetIn(key)])).toEqual([true, true]);
    await revokeApiKey(ctx, { id, ...anyVersion });
    await eventually(async () => !(await one.isLetIn(key)) && !(await two.isLetIn(key)));
  });

  it('is refused soon if the notification is lost, however often it is used', async () => {
    const ctx = test.context();
    const { id, key } = await make(ctx);
    const deaf = deafReplica();
    await deaf.ask(key);
    await revokeApiKey(ctx, { id, ...anyVersion });
    await eventually(async () => !(await deaf.isLetIn(key)));
    expect(await deaf.isLetIn(key)).toBe(false);
  });

  it('stays listed and revoked, and cannot be changed or rotated', async () => {
    const ctx = test.context();
    const { id } = await make(ctx);
    await revokeApiKey(ctx, { id, ...anyVersion });
    const revoked = await getApiKey(ctx, id);
    expect(revoked.body.status).toBe('revoked');
    await revokeApiKey(ctx, { id, ifMatch: [revoked.version] });
    expect(await getApiKey(ctx, id)).toEqual(revoked);
    const state = { code: 'conflict', violations: [{ field: 'status', constraint: 'state' }] };
    await expect(changeApiKey(ctx, { id, ...anyVersion, body: { name: 'n' }, giver })).rejects.toMatchObject(state);
    await expect(rotateApiKey(ctx, { id, overlapSeconds: 0, scopes })).rejects.toMatchObject(state);
  });
});

describe('a key with an expiry', () => {
  it('is refused from that time on, even if it is cached', async () => {
    await stopClock();
    const ctx = test.context();
    const { key } = await make(ctx, { expiresAt: new Date(ctx.clock.now().getTime() + 3_000) });
    const deaf = deafReplica({ freshMs: 600_000, staleMs: 600_000 });
    await deaf.ask(key);
    await test.shiftClock(4);
    await eventually(async () => !(await deaf.isLetIn(key)));
  });

  it('shows that it has expired, and works again when the expiry is removed', async () => {
    const ctx = test.context();
    const { id, key } = await make(ctx, { expiresAt: new Date(Date.now() - 1_000) });
    expect((await getApiKey(ctx, id)).body.status).toBe('expired');
    const { body } = await changeApiKey(ctx, { id, ...anyVersion, body: { expires_at: null }, giver });
    expect(body).toMatchObject({ status: 'active', expires_at: null });
    expect(await deafReplica().isLetIn(key)).toBe(true);
  });

  it('must be in the future', async () => {
    const ctx = test.context();
    const past = new Date(Date.now() - 1_000).toISOString();
    const tooEarly = { code: 'invalid_input', violations: [{ field: 'expires_at', constraint: 'min' }] };
    await expect(mint(ctx, { expires_at: past })).rejects.toMatchObject(tooEarly);
    const { id } = await make(ctx);
    const body = { expires_at: new Date(past) };
    await expect(changeApiKey(ctx, { id, ...anyVersion, body, giver })).rejects.toMatchObject(tooEarly);
  });
});

describe('the list', () => {
  const page = { limit: 10, offset: 0, after: undefined, sort: { field: 'status', isDescending: false } };

  it('finds, sorts and shows keys by one status', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const now = ctx.clock.now().getTime();
    const [past, ahead] = [new Date(now - 1_000), new Date(now + 60_000)];
    const expiries = { active: [null, ahead], expired: [past, past], revoked: [null, past] };
    for (const [name, dates] of Object.entries(expiries))
      for (const expiresAt of dates) {
        const { id } = await make(ctx, { name, expiresAt });
        if (name === 'revoked') await revokeApiKey(ctx, { id, ...anyVersion });
      }
    const list = async (filter: { status?: string }) =>
      (await listApiKeys(ctx, filter, page)).items.map(({ name, status }) => ({ name, status }));
    const shown = keyStatuses.map((status) => [1, 2].map(() => ({ name: status, status })));
    expect(await list({})).toEqual(shown.flat());
    expect(await Promise.all(keyStatuses.map((status) => list({ status })))).toEqual(shown);
  });
});

describe('a rotated key', () => {
  it('has a new text at once, and only that without an overlap', async () => {
    const ctx = test.context();
    const { id, key: old } = await make(ctx);
    const { body, version } = await rotateApiKey(ctx, { id, overlapSeconds: 0, scopes });
    expect(body).toMatchObject({ id, last_four: body.key.slice(-4) });
    expect(version).toBe(2);
    const process = deafReplica();
    expect([await process.isLetIn(old), await process.isLetIn(body.key)]).toEqual([false, true]);
  });

  it('keeps its old text until the overlap ends, even if it is cached', async () => {
    await stopClock();
    const ctx = test.context();
    const { id, key: old } = await make(ctx);
    const { body } = await rotateApiKey(ctx, { id, overlapSeconds: 3, scopes });
    const process = deafReplica({ freshMs: 600_000, staleMs: 600_000 });
    expect(await process.ask(old)).toEqual(await process.ask(body.key));
    await test.shiftClock(4);
    await eventually(async () => !(await process.isLetIn(old)));
    expect(await process.isLetIn(body.key)).toBe(true);
  });

  it('keeps one old text, not two', async () => {
    const ctx = test.context();
    const { id, key: first } = await make(ctx);
    const { key: second } = (await rotateApiKey(ctx, { id, overlapSeconds: 600, scopes })).body;
    const { key: third } = (await rotateApiKey(ctx, { id, overlapSeconds: 600, scopes })).body;
    const process = deafReplica();
    const letIn = await Promise.all([first, second, third].map((key) => process.isLetIn(key)));
    expect(letIn).toEqual([false, true, true]);
  });

  it('has no text left once it is revoked', async () => {
    const ctx = test.context();
    const { id, key: old } = await make(ctx);
    const { key } = (await rotateApiKey(ctx, { id, overlapSeconds: 600, scopes })).body;
    await revokeApiKey(ctx, { id, ...anyVersion });
    const process = deafReplica();
    expect([await process.isLetIn(old), await process.isLetIn(key)]).toEqual([false, false]);
  });
});

describe('a key has no more rights than its creator', () => {
  const own = ['admin', 'tasks:read'] as const;
  const forbidden = (scope: string) => ({ code: 'forbidden', message: expect.stringContaining(scope) });

  it('a caller grants at most its own scopes', async () => {
    const ctx = test.context();
    await mint(ctx, { scopes: ['tasks:read'] }, own);
    await expect(mint(ctx, { scopes: ['tasks:read', 'tasks:write'] }, own)).rejects.toMatchObject(
      forbidden('tasks:write'),
    );
  });

  it('a caller adds at most its own scopes, and may remove others', async () => {
    const ctx = test.context();
    const { id } = await make(ctx, { scopes: ['tasks:write', 'events:read'] });
    const change = (given: Scope[]) =>
      changeApiKey(ctx, { id, ...anyVersion, body: { scopes: given }, giver: { ...giver, scopes: own } });
    await change(['tasks:write', 'tasks:read']);
    await expect(change(['events:read'])).rejects.toMatchObject(forbidden('events:read'));
    expect((await getApiKey(ctx, id)).body.scopes).toEqual(['tasks:write', 'tasks:read']);
  });

  it('a caller extends a key only with all its scopes, since someone may have its old text', async () => {
    const ctx = test.context();
    const expiresAt = new Date(ctx.clock.now().getTime() + 60_000);
    const { id } = await make(ctx, { scopes: ['tasks:write'], expiresAt });
    const change = (at: Date | null, given: readonly Scope[]) =>
      changeApiKey(ctx, { id, ...anyVersion, body: { expires_at: at }, giver: { ...giver, scopes: given } });
    for (const at of [null, new Date(expiresAt.getTime() + 1)])
      await expect(change(at, own)).rejects.toMatchObject(forbidden('tasks:write'));
    await change(new Date(expiresAt.getTime() - 1_000), own);
    await change(null, [...own, 'tasks:write']);
  });

  it('a caller gets the new text of a key only with all its scopes', async () => {
    const ctx = test.context();
    const { id } = await make(ctx, { scopes: ['tasks:write'] });
    const rotation = rotateApiKey(ctx, { id, overlapSeconds: 0, scopes: own });
    await expect(rotation).rejects.toMatchObject(forbidden('tasks:write'));
  });
});

describe('changes of a key', () => {
  it('reach every process, and are audited without the text', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const { id, key } = await make(ctx);
    const forEver = { freshMs: 600_000, staleMs: 600_000 };
    const other = await replica(forEver);
    await other.ask(key);
    await changeApiKey(ctx, { id, ...anyVersion, body: { scopes: ['events:read'], rate_limit: 7 }, giver });
    await eventually(async () => (await other.ask(key)).rateLimit === 7);
    expect((await other.ask(key)).scopes).toEqual(['events:read']);
    const { key: next } = (await rotateApiKey(ctx, { id, overlapSeconds: 5, scopes })).body;
    const lines = await ctx.db.query<{ line: string; action: string }>(
      'SELECT a::text AS line, action FROM audit_log a WHERE tenant_id = $1 ORDER BY id',
      [ctx.tenantId],
    );
    expect(lines.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.changed', 'api_key.rotated']);
    for (const { line } of lines) for (const text of [key, next]) expect(line).not.toContain(text.slice(9));
  });

  it('are refused for the key of a setting, which can be revoked', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await ensureBootstrapKey(ctx, { key: 'the-key-of-a-setting-1234', rateLimit: 10 });
    const page = { limit: 10, offset: 0, after: undefined, sort: { field: 'created_at', isDescending: true } };
    const id = (await listApiKeys(ctx, {}, page)).items[0]?.id ?? '';
    const state = { code: 'conflict', violations: [{ field: 'status', constraint: 'state' }] };
    await expect(changeApiKey(ctx, { id, ...anyVersion, body: { name: 'n' }, giver })).rejects.toMatchObject(state);
    await expect(rotateApiKey(ctx, { id, overlapSeconds: 0, scopes })).rejects.toMatchObject(state);
    await revokeApiKey(ctx, { id, ...anyVersion });
    await ensureBootstrapKey(ctx, { key: 'the-key-of-a-setting-1234', rateLimit: 10 });
    expect((await getApiKey(ctx, id)).body.status).toBe('revoked');
  });

  it('of an older version are refused', async () => {
    const ctx = test.context();
    const { id } = await make(ctx);
    await changeApiKey(ctx, { id, ifMatch: [1], body: { name: 'n' }, giver });
    const stale = { status: 412 };
    await expect(changeApiKey(ctx, { id, ifMatch: [1], body: { name: 'm' }, giver })).rejects.toMatchObject(stale);
    await expect(revokeApiKey(ctx, { id, ifMatch: [1] })).rejects.toMatchObject(stale);
    expect((await getApiKey(ctx, id)).body).toMatchObject({ name: 'n', status: 'active' });
  });
});
