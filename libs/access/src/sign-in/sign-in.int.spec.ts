import { createHook } from 'node:async_hooks';
import { AppError } from '@eas/core';
import { scopes } from '@eas/contracts';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  changeUser,
  createApiKey,
  createAuthenticator,
  createSignIn,
  createUser,
  deleteUser,
  ensureFirstAdmin,
  getSession,
  makeFirstAdminLink,
  makePasswordLink,
  signOut,
  sweepSignIns,
} from '../index.ts';

const test = useTestDatabase();
const password = 'a long enough password';
const source = { remoteAddress: '203.0.113.9', requestId: 'req_12345678' };
const cookie = 'eas_session';
const counted: [string, number][] = [];
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  counted.length = 0;
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const people = () =>
  createSignIn({
    database: test.database,
    secrets: test.context().secrets,
    throttle: async (key, perMinute) => void counted.push([key, perMinute]),
  });

/** The caller of a session cookie, looked up each time. */
function authenticate(options: { freshMs?: number; staleMs?: number } = { freshMs: 0, staleMs: 0 }) {
  const authenticator = createAuthenticator({
    database: test.database,
    logger: silentLogger,
    sessionCookie: cookie,
    ...options,
  });
  open.push(authenticator);
  return async (token: string) => authenticator.authenticate({ cookie: `${cookie}=${token}` });
}

let persons = 0;
async function makePerson(over: { tenantId?: string; scopes?: ('admin' | 'tasks:read')[] } = {}) {
  const email = `person${(persons += 1)}@example.com`;
  const ctx = test.context(over.tenantId ? { tenantId: over.tenantId } : {});
  const body = { email, name: 'Ada', scopes: over.scopes ?? ['tasks:read' as const], password };
  const { user } = await createUser(ctx, { body, scopes });
  return { ctx, email, id: user.id };
}
type Person = Awaited<ReturnType<typeof makePerson>>;
const log = (where: string) =>
  test.database.db.query<Record<string, unknown>>(
    `SELECT action, actor_id, target_id, credential_id, remote_address, request_id, tenant_id, data
     FROM audit_log WHERE ${where} ORDER BY created_at DESC, id DESC`,
  );
const unauthorized = { code: 'unauthorized' };

async function countArgon2(work: () => Promise<unknown>): Promise<number> {
  let runs = 0;
  const hook = createHook({ init: (_id, type) => void (runs += /argon2/i.test(type) ? 1 : 0) }).enable();
  await work().catch(() => {});
  hook.disable();
  return runs;
}

describe('signing in', () => {
  it('starts a session of the person, whose cookie is not stored', async () => {
    const tenantId = await test.createTenant();
    const { email, id } = await makePerson({ tenantId });
    const { token, csrfToken, principal, user, expiresAt } = await people().signIn({ email, password, source });
    expect(user).toMatchObject({ id, email, last_signed_in_at: expect.any(String) });
    expect(await authenticate()(token)).toEqual(principal);
    expect(principal).toMatchObject({ tenantId, kind: 'session', actor: { id }, scopes: ['tasks:read'], csrfToken });
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    const tables = ['sessions', 'users', 'audit_log'];
    for (const table of tables) {
      const rows = await test.database.db.query(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%' || $1 || '%'`, [
        token,
      ]);
      expect(rows).toEqual([]);
    }
  });

  it('records who signed in, from where and with which session', async () => {
    const { email, id } = await makePerson();
    const { principal } = await people().signIn({ email, password, source });
    expect((await log(`actor_id = '${id}'`))[0]).toMatchObject({
      action: 'session.started',
      target_id: principal.sessionId,
      credential_id: principal.sessionId,
      remote_address: source.remoteAddress,
      request_id: source.requestId,
    });
  });

  it('is refused alike for a wrong password and an unknown e-mail, with the same work, and recorded', async () => {
    const { email, id } = await makePerson();
    const wrong = { email, password: 'not the password', source };
    const unknown = { email: 'unknown@example.com', password, source };
    const errors = await Promise.all(
      [wrong, unknown].map((one) =>
        people()
          .signIn(one)
          .catch((error) => error),
      ),
    );
    expect(errors).toEqual([expect.any(AppError), expect.any(AppError)]);
    expect(errors[0].message).toBe(errors[1].message);
    for (const one of [wrong, unknown]) expect(await countArgon2(() => people().signIn(one))).toBe(1);
    const refusals = await log(
      `action = 'session.refused' AND data ->> 'email' IN ('${email}', 'unknown@example.com')`,
    );
    expect(new Set(refusals.map(({ target_id: target }) => target))).toEqual(new Set([id, null]));
    expect(JSON.stringify(refusals)).not.toContain('password');
  });

  it('does not store a typed e-mail address that is invalid, as it may be the password', async () => {
    const typed = { email: 'correct horse battery', password: '', source: { ...source, requestId: 'req_typed' } };
    await expect(people().signIn(typed)).rejects.toMatchObject(unauthorized);
    expect((await log(`request_id = 'req_typed'`)).map(({ data }) => data)).toEqual([{}]);
  });

  it('counts tries by address, by both, and by e-mail, before the password is checked', async () => {
    const { email } = await makePerson();
    await people().signIn({ email, password, source });
    expect(counted).toEqual([
      ['sign-in address 203.0.113.9', 30],
      [`sign-in e-mail ${email} from 203.0.113.9`, 10],
      [`sign-in e-mail ${email}`, 100],
    ]);
    await people().signIn({ email, password, source: { ...source, remoteAddress: '2001:db8:1:2:3:4:5:6' } });
    expect(counted[3]).toEqual(['sign-in address 2001:db8:1:2::/64', 30]);
    const full = createSignIn({
      database: test.database,
      secrets: test.context().secrets,
      throttle: () => Promise.reject(new AppError('rate_limited')),
    });
    const runs = await countArgon2(() =>
      expect(full.signIn({ email, password, source })).rejects.toMatchObject({ code: 'rate_limited' }),
    );
    expect(runs).toBe(0);
  });

  it('is not blocked for the right person by the tries of others, wherever these come from', async () => {
    const [{ email }, other] = [await makePerson(), await makePerson()];
    const counts = new Map<string, number>();
    const throttle = async (key: string, perMinute: number) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if ((counts.get(key) ?? 0) > perMinute) throw new AppError('rate_limited');
    };
    const { signIn } = createSignIn({ database: test.database, secrets: test.context().secrets, throttle });
    const { device } = await signIn({ email, password, source });
    const tryFrom = (remoteAddress: string, more: { device?: string; password?: string } = {}) =>
      signIn({ email, password: 'a guess', source: { ...source, remoteAddress }, ...more }).then(
        () => 'in',
        ({ code }: AppError) => code,
      );
    // Ten addresses use up the tries of strangers, the person's own address among them.
    for (const address of ['203.0.113.9', ...Array.from({ length: 10 }, (_, n) => `198.51.100.${n}`)])
      for (let n = 0; n < 11; n += 1) await tryFrom(address, { password: '' });
    expect(await tryFrom('192.0.2.1', { password })).toBe('rate_limited');
    expect(await tryFrom('203.0.113.9', { password, device: device.value })).toBe('in');
    // For another person it has no effect, and for the right one it has a limit too.
    const theirs = (await signIn({ email: other.email, password, source: { ...source, remoteAddress: '192.0.2.9' } }))
      .device;
    expect(await tryFrom('192.0.2.1', { password, device: theirs.value })).toBe('rate_limited');
    const guesses = [];
    for (let n = 0; n < 12; n += 1) guesses.push(await tryFrom('192.0.2.2', { device: device.value }));
    expect(guesses.filter((code) => code === 'unauthorized')).toHaveLength(9);
    expect(guesses.at(-1)).toBe('rate_limited');
  });

  it('is refused when the password is changed, or the person deleted, during the check', async () => {
    const acts = [
      (p: Person) =>
        changeUser(p.ctx, { id: p.id, ifMatch: undefined, body: { password: 'another password' }, scopes }),
      (p: Person) => deleteUser(p.ctx, { id: p.id, ifMatch: undefined, scopes }),
    ];
    for (const act of acts) {
      const person = await makePerson();
      const { db, clock } = test.database;
      const inTransaction: typeof test.database.inTransaction = async (tenantId, work) => {
        await act(person);
        return test.database.inTransaction(tenantId, work);
      };
      const late = createSignIn({
        database: { db, clock, inTransaction },
        secrets: test.context().secrets,
        throttle: async () => {},
      });
      await expect(late.signIn({ email: person.email, password, source })).rejects.toMatchObject(unauthorized);
      expect(await log(`actor_id = '${person.id}' AND action = 'session.started'`)).toEqual([]);
    }
  });

  it('is refused for a person who has set no password yet, and for a deleted one', async () => {
    const email = 'invited@example.com';
    await createUser(test.context(), { body: { email, name: 'I', scopes: ['tasks:read'] }, scopes });
    await expect(people().signIn({ email, password, source })).rejects.toMatchObject(unauthorized);
    const gone = await makePerson();
    await deleteUser(gone.ctx, { id: gone.id, ifMatch: undefined, scopes });
    await expect(people().signIn({ email: gone.email, password, source })).rejects.toMatchObject(unauthorized);
  });
});

describe('a session', () => {
  it('ends at sign-out, at once if the notification arrives', async () => {
    const { ctx, email } = await makePerson();
    const { token, principal } = await people().signIn({ email, password, source });
    const ask = authenticate();
    await ask(token);
    await signOut(ctx, principal.sessionId ?? '');
    await expect(ask(token)).rejects.toMatchObject(unauthorized);
    expect((await log(`target_id = '${principal.sessionId}'`))[0]).toMatchObject({ action: 'session.ended' });
  });

  it('is read as ended even if it is still cached', async () => {
    const { email } = await makePerson();
    const { principal } = await people().signIn({ email, password, source });
    const ctx = test.context({ actor: principal.actor });
    expect((await getSession(ctx, principal)).user).toMatchObject({ email });
    await signOut(ctx, principal.credentialId);
    await expect(getSession(ctx, principal)).rejects.toMatchObject(unauthorized);
  });

  it('ends when the person gets another password or other scopes, or is deleted', async () => {
    const acts = [
      (p: Person) =>
        changeUser(p.ctx, { id: p.id, ifMatch: undefined, body: { password: 'another password' }, scopes }),
      (p: Person) => changeUser(p.ctx, { id: p.id, ifMatch: undefined, body: { scopes: ['tasks:write'] }, scopes }),
      (p: Person) => deleteUser(p.ctx, { id: p.id, ifMatch: undefined, scopes }),
    ];
    for (const act of acts) {
      const person = await makePerson();
      const { token } = await people().signIn({ email: person.email, password, source });
      await act(person);
      await expect(authenticate()(token)).rejects.toMatchObject(unauthorized);
    }
  });

  it('continues when the person’s name changes', async () => {
    const { ctx, id, email } = await makePerson();
    const { token } = await people().signIn({ email, password, source });
    await changeUser(ctx, { id, ifMatch: undefined, body: { name: 'Ada L.' }, scopes });
    expect((await authenticate()(token)).actor.id).toBe(id);
  });

  it('ends after twelve hours without a request, while requests keep it alive, seven days at most', async () => {
    const { email } = await makePerson();
    const { token: idle } = await people().signIn({ email, password, source });
    const { token: used } = await people().signIn({ email, password, source });
    const use = async (token: string) => {
      const ask = authenticate();
      await ask(token);
      await Promise.all(open.splice(0).map((one) => one.close()));
    };
    try {
      for (let hours = 11; hours < 7 * 24; hours += 11) {
        await test.shiftClock(hours * 3_600);
        await use(used);
      }
      await expect(use(idle)).rejects.toMatchObject(unauthorized);
      await test.shiftClock(7 * 24 * 3_600 + 1);
      await expect(use(used)).rejects.toMatchObject(unauthorized);
      expect(await sweepSignIns(test.database.db)).toBeGreaterThanOrEqual(2);
      const rows = await test.database.db.query('SELECT 1 FROM sessions WHERE expires_at < app_now()');
      expect(rows).toEqual([]);
    } finally {
      await test.shiftClock(0);
    }
  });

  it('is used only if neither a key nor a token is sent', async () => {
    const { ctx, email } = await makePerson();
    const { token, principal } = await people().signIn({ email, password, source });
    const { id, key } = await createApiKey(ctx, { name: 'k', scopes: ['tasks:read'] });
    const authenticator = createAuthenticator({
      database: test.database,
      logger: silentLogger,
      sessionCookie: cookie,
    });
    open.push(authenticator);
    const ask = async (headers: { 'x-api-key'?: string; authorization?: string }) =>
      authenticator.authenticate({ cookie: `${cookie}=${token}`, ...headers });
    expect(await ask({})).toEqual(principal);
    expect((await ask({ 'x-api-key': key })).credentialId).toBe(id);
    for (const headers of [{ 'x-api-key': 'wrong' }, { 'x-api-key': '' }, { authorization: 'Bearer wrong' }])
      await expect(ask(headers)).rejects.toMatchObject(unauthorized);
  });

  it('is refused without a look-up for a text that is not a token', async () => {
    await expect(authenticate()('short')).rejects.toMatchObject(unauthorized);
    await expect(authenticate()('a'.repeat(43))).rejects.toMatchObject(unauthorized);
  });
});

describe('an invitation', () => {
  const invite = async (email: string) => {
    const body = { email, name: 'Grace', scopes: ['tasks:read' as const] };
    const { user, linkToken = '' } = await createUser(test.context(), { body, scopes });
    return { user, linkToken };
  };

  it('sets the password once and signs in', async () => {
    const { user, linkToken: token } = await invite('grace@example.com');
    expect(user.status).toBe('invited');
    expect(await people().describeLink(token)).toEqual({
      purpose: 'set_password',
      email: 'grace@example.com',
      name: 'Grace',
    });
    const both = [1, 2].map(() => people().redeemLink({ token, password, source }));
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await people().describeLink(token)).toBeUndefined();
    const signedIn = await people().signIn({ email: 'grace@example.com', password, source });
    expect(signedIn.user).toMatchObject({ id: user.id, status: 'active' });
  });

  it('is created again for a person who lost it or the password, by a caller with the person’s scopes', async () => {
    const { user, linkToken: old } = await invite('again@example.com');
    const weak = makePasswordLink(test.context(), { id: user.id, scopes: ['admin'] });
    await expect(weak).rejects.toMatchObject({ code: 'forbidden' });
    const token = await makePasswordLink(test.context(), { id: user.id, scopes });
    expect(await people().describeLink(old)).toBeUndefined();
    expect((await people().redeemLink({ token, password, source })).user.id).toBe(user.id);
    const link = makePasswordLink(test.context(), { id: 'usr_unknown', scopes });
    await expect(link).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is valid for 24 hours and ends with its person', async () => {
    const late = await invite('late@example.com');
    await test.shiftClock(24 * 3_600 + 1);
    const redeem = (token: string) => people().redeemLink({ token, password, source });
    await expect(redeem(late.linkToken)).rejects.toMatchObject({ code: 'not_found' });
    await test.shiftClock(0);
    const gone = await invite('gone@example.com');
    await deleteUser(test.context(), { id: gone.user.id, ifMatch: undefined, scopes });
    await expect(redeem(gone.linkToken)).rejects.toMatchObject({ code: 'not_found' });
    await expect(redeem('a'.repeat(43))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the first admin', () => {
  const first = { email: 'first@example.com', name: 'First', password, source };

  it('signs in by a link, of which only the newest is valid', async () => {
    const old = (await makeFirstAdminLink(test.context())) ?? '';
    const token = (await makeFirstAdminLink(test.context())) ?? '';
    expect(await people().describeLink(old)).toBeUndefined();
    expect(await people().describeLink(token)).toEqual({ purpose: 'first_admin' });
    await expect(people().redeemLink({ token, password, source })).rejects.toMatchObject({
      violations: [{ field: 'email', constraint: 'required' }],
    });
    const { user } = await people().redeemLink({ ...first, token });
    expect(user).toMatchObject({ email: first.email, scopes: [...scopes], status: 'active' });
    expect(await makeFirstAdminLink(test.context())).toBeUndefined();
  });

  it('is not created by a link once there is an admin', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const token = (await makeFirstAdminLink(ctx)) ?? '';
    await ensureFirstAdmin(ctx, { email: 'settings@example.com', password });
    const redeemed = people().redeemLink({ ...first, email: 'second@example.com', token });
    await expect(redeemed).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is created from settings, once, and keeps a password that was changed later', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const settings = { email: 'Root@Example.com', password };
    await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(ctx, settings)));
    const { user } = await people().signIn({ email: 'root@example.com', password, source });
    const body = { password: 'changed since then' };
    await changeUser(ctx, { id: user.id, ifMatch: undefined, body, scopes });
    await ensureFirstAdmin(ctx, settings);
    const again = people().signIn({ email: 'root@example.com', password, source });
    await expect(again).rejects.toMatchObject(unauthorized);
  });

  it('is refused, naming the setting, when it could never sign in', async () => {
    const ctx = test.context();
    await expect(ensureFirstAdmin(ctx, { email: 'no address', password })).rejects.toThrow('ADMIN_EMAIL');
    await expect(ensureFirstAdmin(ctx, { email: 'a@example.com', password: 'short' })).rejects.toThrow(
      'ADMIN_PASSWORD',
    );
  });
});
