import { randomBytes } from 'node:crypto';
import { scopes } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createOauthStorage,
  createUser,
  ensureBootstrapClient,
  type OauthStorage,
  type RecordKind,
  sweepOauthRecords,
} from '../index.ts';

const test = useTestDatabase();
/** Two gateways on one database. */
let one: OauthStorage;
let other: OauthStorage;
let clientId: string;
let userId: string;

beforeAll(async () => {
  const { secrets } = test.context();
  [one, other] = [1, 2].map(() => createOauthStorage({ database: test.database, secrets })) as [
    OauthStorage,
    OauthStorage,
  ];
  const fields = { name: 'c', redirect_uris: ['https://example.com/cb'], tier: 'standard', rate_limit: null } as const;
  const body = { ...fields, redirect_uris: [...fields.redirect_uris], scopes: [...scopes], is_public: false };
  clientId = (await createClient(test.context(), { body, giver: { scopes, rateLimit: 1_000 } })).body.id;
  const person = { email: 'ada@example.com', name: 'Ada', scopes: ['tasks:read' as const, 'agents:read' as const] };
  userId = (await createUser(test.context(), { body: person, scopes })).user.id;
});

const newId = () => randomBytes(16).toString('base64url');
const save = async (kind: RecordKind, id: string, grantId: string | null, validForSeconds = 60) =>
  one.save(kind, id, { clientId, userId, grantId, scopes: ['tasks:read'], payload: { kept: 1 }, validForSeconds });
async function grantWith(kind: RecordKind) {
  const [grantId, id] = [newId(), newId()];
  await save('grant', grantId, null);
  await save(kind, id, grantId);
  return { grantId, id };
}

describe('a record of the authorization server', () => {
  it('is found by every gateway by its id and kind, and is stored under its hash', async () => {
    const { id } = await grantWith('access_token');
    expect(await other.find('access_token', id)).toMatchObject({
      clientId,
      userId,
      payload: { kept: 1 },
      scopes: ['tasks:read'],
    });
    expect(await other.find('refresh_token', id)).toBeUndefined();
    const rows = await test.database.db.query(
      `SELECT 1 FROM oauth_records r WHERE to_jsonb(r)::text LIKE '%' || $1 || '%'`,
      [id],
    );
    expect(rows).toEqual([]);
  });

  it('is used up once, whichever of two gateways is first; the second use revokes the grant', async () => {
    const { grantId, id } = await grantWith('authorization_code');
    const token = newId();
    await save('access_token', token, grantId);
    const used = await Promise.all([one.consume('authorization_code', id), other.consume('authorization_code', id)]);
    expect(used.sort()).toEqual([false, true]);
    expect(await one.find('grant', grantId)).toBeUndefined();
    expect(await one.find('access_token', token)).toBeUndefined();
    const [last, first] = await test.database.db.query(
      `SELECT action, actor_id AS actor, target_id AS target, data FROM audit_log WHERE action LIKE 'oauth_consent%' ORDER BY id DESC LIMIT 2`,
    );
    const data = { used_twice: 'authorization_code' };
    expect(last).toEqual({ action: 'oauth_consent.revoked', actor: clientId, target: userId, data });
    expect(first).toMatchObject({ action: 'oauth_consent.given', actor: userId, target: clientId });
  });

  it('cannot come from a grant that is gone', async () => {
    const { grantId, id } = await grantWith('refresh_token');
    await other.destroy('grant', grantId);
    expect(await one.find('refresh_token', id)).toBeUndefined();
    expect(await save('access_token', newId(), grantId)).toBe(false);
  });

  it('is deleted alone if it is not a grant', async () => {
    const { grantId, id } = await grantWith('access_token');
    await one.destroy('access_token', id);
    expect(await one.find('access_token', id)).toBeUndefined();
    expect(await one.find('grant', grantId)).toBeDefined();
  });

  it('keeps a grant as long as its newest refresh token', async () => {
    const grantId = newId();
    await save('grant', grantId, null, 60);
    await save('refresh_token', newId(), grantId, 600);
    await test.shiftClock(500);
    expect(await one.find('grant', grantId)).toBeDefined();
    await test.shiftClock(0);
  });

  it('is swept once it has expired, and nothing else', async () => {
    const { id } = await grantWith('access_token');
    const short = newId();
    await save('interaction', short, null, 5);
    await test.shiftClock(10);
    expect(await one.find('interaction', short)).toBeUndefined();
    expect(await sweepOauthRecords(test.database.db)).toBe(1);
    expect(await one.find('access_token', id)).toBeDefined();
    await test.shiftClock(0);
  });

  it('of an unknown client is nothing', async () => {
    const record = { clientId: 'cli_unknown', userId, grantId: null, scopes: [], payload: {}, validForSeconds: 60 };
    expect(await one.save('grant', newId(), record)).toBe(false);
    for (const id of ['cli_unknown', '', '\0', 'a'.repeat(200)]) expect(await one.findClient(id)).toBeUndefined();
  });

  it('has a client’s secret sealed and opens it', async () => {
    const { secret } = (await one.findClient(clientId)) ?? {};
    expect(secret).toMatch(/^eas_secret_[\w-]{43}$/);
    const [row] = await test.database.db.query<{ secret: string }>('SELECT secret FROM oauth_clients WHERE id = $1', [
      clientId,
    ]);
    expect(row?.secret).toMatch(/^v1\./);
  });
});

describe('the bootstrap client', () => {
  const ensure = (id: string, secret: string, uri = 'https://example.com/cb') =>
    ensureBootstrapClient(test.context(), { id, secret, redirectUris: [uri] });
  const live = async () =>
    (
      await test.database.db.query<{ id: string }>(
        `SELECT id FROM oauth_clients WHERE origin = 'bootstrap' AND deleted_at IS NULL`,
      )
    ).map(({ id }) => id);

  it('is made once by processes that boot together, with every scope', async () => {
    await Promise.all([ensure('first', 's1'), ensure('first', 's1'), ensure('first', 's1')]);
    expect(await live()).toEqual(['first']);
    expect(await one.findClient('first')).toMatchObject({ secret: 's1', scopes: [...scopes] });
  });

  it('follows the setting, also back again', async () => {
    await ensure('first', 's2', 'http://localhost:1/cb');
    expect(await one.findClient('first')).toMatchObject({ secret: 's2', redirectUris: ['http://localhost:1/cb'] });
    await ensure('second', 's3');
    expect(await live()).toEqual(['second']);
    await ensure('first', 's1');
    expect(await one.findClient('first')).toMatchObject({ secret: 's1' });
    expect(await one.findClient('second')).toBeUndefined();
  });

  it('does not use the id of a client that people created', async () => {
    await expect(ensure(clientId, 's')).rejects.toThrow('BOOTSTRAP_OAUTH_CLIENT');
    expect(await live()).toEqual(['first']);
  });

  it('does not take the id of a client of another tenant', async () => {
    const context = test.context({ tenantId: await test.createTenant() });
    const taking = ensureBootstrapClient(context, {
      id: clientId,
      secret: 's',
      redirectUris: ['https://example.com/cb'],
    });
    await expect(taking).rejects.toThrow('BOOTSTRAP_OAUTH_CLIENT');
    expect(await live()).toEqual(['first']);
  });

  it('stays deleted', async () => {
    await test.database.db.query(`UPDATE oauth_clients SET deleted_at = app_now() WHERE id = 'first'`);
    await ensure('first', 's1');
    expect(await live()).toEqual([]);
    await ensure('third', 's1');
    expect(await live()).toEqual(['third']);
  });
});
