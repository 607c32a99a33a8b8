import { scopes } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { changeUser, createUser, deleteUser, getUser, listUsers, makePasswordLink } from '../index.ts';

const test = useTestDatabase();
const password = 'a long enough password';
const anyVersion = { ifMatch: undefined };

let made = 0;
/** A tenant with that number of admins. */
async function tenantWith(admins: number) {
  const ctx = test.context({ tenantId: await test.createTenant() });
  const ids: string[] = [];
  for (let n = 0; n < admins; n += 1) {
    const body = { email: `admin${(made += 1)}@example.com`, name: 'A', scopes: ['admin' as const], password };
    ids.push((await createUser(ctx, { body, scopes })).user.id);
  }
  return { ctx, ids };
}
const lastOne = { code: 'conflict', violations: [{ field: 'scopes', constraint: 'state' }] };
const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'created_at', isDescending: true } };

describe('the last user with the scope admin', () => {
  it('cannot be deleted and keeps the scope', async () => {
    const { ctx, ids } = await tenantWith(1);
    const id = ids[0] ?? '';
    await expect(deleteUser(ctx, { id, ...anyVersion, scopes })).rejects.toMatchObject(lastOne);
    const change = changeUser(ctx, { id, ...anyVersion, body: { scopes: ['tasks:read'] }, scopes });
    await expect(change).rejects.toMatchObject(lastOne);
    expect((await getUser(ctx, id)).body.scopes).toEqual(['admin']);
    await changeUser(ctx, { id, ...anyVersion, body: { scopes: ['admin', 'tasks:read'] }, scopes });
  });

  it('still exists when all are deleted at the same time', async () => {
    const { ctx, ids } = await tenantWith(4);
    const outcomes = await Promise.allSettled(ids.map((id) => deleteUser(ctx, { id, ...anyVersion, scopes })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect((await listUsers(ctx, {}, page)).total).toBe(1);
  });

  it('cannot be replaced by one who was only invited', async () => {
    const { ctx, ids } = await tenantWith(1);
    const body = { email: `invited${(made += 1)}@example.com`, name: 'I', scopes: ['admin' as const] };
    const invited = await createUser(ctx, { body, scopes });
    await expect(deleteUser(ctx, { id: ids[0] ?? '', ...anyVersion, scopes })).rejects.toMatchObject(lastOne);
    await deleteUser(ctx, { id: invited.user.id, ...anyVersion, scopes });
  });
});

describe('an e-mail address', () => {
  const body = (email: string) => ({ email, name: 'A', scopes: ['tasks:read' as const], password });

  it('belongs to one person across all tenants, until the person is deleted', async () => {
    const [one, other] = [await tenantWith(0), await tenantWith(0)];
    const email = 'taken@example.com';
    const { user } = await createUser(one.ctx, { body: body(email), scopes });
    const taken = { code: 'conflict', violations: [{ field: 'email', constraint: 'exists' }] };
    await expect(createUser(other.ctx, { body: body(email), scopes })).rejects.toMatchObject(taken);
    const second = await createUser(other.ctx, { body: body('free@example.com'), scopes });
    const change = changeUser(other.ctx, { id: second.user.id, ...anyVersion, body: { email }, scopes });
    await expect(change).rejects.toMatchObject(taken);
    await deleteUser(one.ctx, { id: user.id, ...anyVersion, scopes });
    await createUser(other.ctx, { body: body(email), scopes });
  });
});

describe('another person’s account gets at most the caller’s own scopes', () => {
  const own = ['admin', 'tasks:read'] as const;
  const target = async () => {
    const { ctx } = await tenantWith(0);
    const body = {
      email: `mighty${(made += 1)}@example.com`,
      name: 'M',
      scopes: ['tasks:read' as const, 'tasks:write' as const],
      password,
    };
    return { ctx, id: (await createUser(ctx, { body, scopes })).user.id };
  };

  it('a caller without a scope cannot grant it', async () => {
    const { ctx, id } = await target();
    await changeUser(ctx, { id, ...anyVersion, body: { scopes: ['tasks:read'] }, scopes });
    const give = changeUser(ctx, { id, ...anyVersion, body: { scopes: ['events:read'] }, scopes: own });
    await expect(give).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('events:read') });
    await changeUser(ctx, { id, ...anyVersion, body: { scopes: ['admin'] }, scopes: own });
  });

  it('a caller without a scope cannot set the password of a person with it', async () => {
    const { ctx, id } = await target();
    const set = changeUser(ctx, { id, ...anyVersion, body: { password: 'mine from now on' }, scopes: own });
    await expect(set).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('tasks:write') });
  });

  it.each([
    ['change the e-mail address', { email: 'mine-now@example.com' }],
    ['take scopes away', { scopes: ['tasks:read' as const] }],
    ['change the name', { name: 'Somebody else' }],
  ])('may not %s of a person with more', async (_, body) => {
    const { ctx, id } = await target();
    const before = await getUser(ctx, id);
    const change = changeUser(ctx, { id, ...anyVersion, body, scopes: own });
    await expect(change).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('tasks:write') });
    expect(await getUser(ctx, id)).toEqual(before);
  });

  it('may not delete a person with more, nor make their link', async () => {
    const { ctx, id } = await target();
    const forbidden = { code: 'forbidden' };
    await expect(deleteUser(ctx, { id, ...anyVersion, scopes: own })).rejects.toMatchObject(forbidden);
    await expect(makePasswordLink(ctx, { id, scopes: own })).rejects.toMatchObject(forbidden);
    expect((await getUser(ctx, id)).body.status).toBe('active');
    await deleteUser(ctx, { id, ...anyVersion, scopes });
  });
});
