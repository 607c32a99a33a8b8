import { randomBytes } from 'node:crypto';
import { type ChangeWebhookBody, type CreateWebhookBody, scopes } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { changeEndpoint } from './change-endpoint.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { disableByHand, enableByHand } from './enable-endpoint.ts';
import type { EndpointRules } from './endpoint-rules.ts';
import { findTarget } from './endpoint.read-model.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listEndpoints } from './list-endpoints.ts';
import { rotateSecret } from './rotate-secret.ts';
import { openKeys } from '../sending/send-signed.ts';

const db = useTestDatabase();
const rules: EndpointRules = {
  vetUrl: (url) => (url.startsWith('https://') ? { isAllowed: true } : { isAllowed: false, message: 'not https' }),
  secretMinLength: 16,
};
const url = 'https://example.com/hook';
const secret = 'the first secret of all';
const ifMatch = undefined;
const hourMs = 3_600_000;
let ctx: UseCaseContext;

beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
});
afterEach(() => db.shiftClock(0));

const make = async (body: Partial<CreateWebhookBody> = {}) =>
  (await createEndpoint(ctx, { body: { url, events: ['*'], secret, ...body }, scopes }, rules)).id;
const change = (id: string, body: ChangeWebhookBody, own: readonly (typeof scopes)[number][] = scopes) =>
  changeEndpoint(ctx, { id, ifMatch, body, scopes: own }, rules);
const keysOf = async (id: string) => {
  const target = await findTarget(ctx, id);
  const keys = target && openKeys(ctx, id, target);
  return keys && { headers: keys.headers, secrets: keys.signing.map(({ own }) => own.export().toString()) };
};
const refusal = (field: string, constraint: string) => ({ code: 'invalid_input', violations: [{ field, constraint }] });

/** Types and data of the events that were appended about webhooks. */
const healthEvents = () =>
  ctx.db.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT event_type AS type, data FROM events WHERE tenant_id = $1 AND event_type LIKE 'webhook.%' ORDER BY event_id`,
    [ctx.tenantId],
  );

describe('changing an endpoint', () => {
  it('changes given fields, resets null ones, and keeps the rest', async () => {
    const id = await make({ description: 'old', max_per_second: 5, ordering: 'task' });
    const moved = 'https://example.org/other';
    const changed = await change(id, { url: moved, description: null, events: ['task.*', 'task.*'], ordering: null });
    expect(changed).toMatchObject({
      isChanged: true,
      version: 2,
      body: { url: moved, description: null, events: ['task.*'], ordering: 'none', max_per_second: 5 },
    });
    const { isChanged: _, ...rest } = changed;
    expect(await getEndpoint(ctx, id)).toEqual(rest);
  });

  it('writes nothing where nothing differs', async () => {
    const id = await make({ headers: { 'X-Team': 'a' } });
    const before = await getEndpoint(ctx, id);
    const same = await change(id, { url, events: ['*'], headers: { 'X-Team': 'a' } });
    expect(same).toEqual({ ...before, isChanged: false });
  });

  it('merges headers by name in any case, removes those that are null, and all of them', async () => {
    const id = await make({ headers: { 'X-One': '1', 'X-Two': '2', 'X-Three': '3' } });
    const { body } = await change(id, { headers: { 'x-one': 'new', 'X-TWO': null, 'X-Four': '4' } });
    expect(body.header_names).toEqual(['X-Three', 'x-one', 'X-Four']);
    expect((await keysOf(id))?.headers).toEqual({ 'X-Three': '3', 'x-one': 'new', 'X-Four': '4' });
    expect((await change(id, { headers: null })).body.header_names).toEqual([]);
    expect((await keysOf(id))?.headers).toEqual({});
  });

  it('holds the limits for all headers together', async () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${from + n}`, 'v']));
    const id = await make({ headers: many(0, 15) });
    await expect(change(id, { headers: many(15, 6) })).rejects.toMatchObject(refusal('headers', 'max_length'));
    const large = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`y-${n}`, 'v'.repeat(1_000)]));
    await change(id, { headers: { ...large, 'x-0': null } });
    const larger = Object.fromEntries([1, 2, 3, 4].map((n) => [`x-${n}`, 'v'.repeat(1_000)]));
    await expect(change(id, { headers: larger })).rejects.toMatchObject(refusal('headers', 'max_size'));
  });

  it('does not use stored headers for another host', async () => {
    const id = await make({ headers: { Authorization: 'Bearer of the receiver' } });
    expect((await change(id, { url: `${url}/deeper` })).body.header_names).toEqual(['Authorization']);
    for (const elsewhere of ['https://example.org/hook', 'https://example.com:8443/hook'])
      await expect(change(id, { url: elsewhere })).rejects.toMatchObject(refusal('headers', 'required'));
    await change(id, { url: 'https://example.org/hook', headers: { 'X-Team': 'a' } });
    expect((await keysOf(id))?.headers).toEqual({ 'X-Team': 'a' });
  });

  it('needs the scopes of the events that it adds, and of all of them for another address', async () => {
    const id = await make({ events: ['task.created', 'pr.opened'] });
    await expect(change(id, { events: ['task.*', 'pr.opened'] }, [])).rejects.toMatchObject({ code: 'forbidden' });
    expect((await change(id, { events: ['task.created'], description: 'less' }, [])).body.events).toHaveLength(1);
    await change(id, { events: ['task.*', 'pr.opened'] });
    await expect(change(id, { url: 'https://example.org' }, ['tasks:read'])).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('integrations:read'),
    });
    await change(id, { url: 'https://example.org' }, ['tasks:read', 'integrations:read']);
  });

  it('refuses a bad address, another version and an unknown endpoint', async () => {
    const id = await make();
    await expect(change(id, { url: 'http://example.com' })).rejects.toMatchObject(refusal('url', 'format'));
    const stale = { id, ifMatch: [7], body: { description: 'x' }, scopes };
    await expect(changeEndpoint(ctx, stale, rules)).rejects.toMatchObject({ status: 412 });
    await expect(change('whk_none', {})).rejects.toMatchObject({ code: 'not_found' });
    expect((await getEndpoint(ctx, id)).version).toBe(1);
  });
});

describe('deleting an endpoint', () => {
  it('keeps the row without its secrets, and no longer shows it', async () => {
    const id = await make({ headers: { 'X-Team': 'a' } });
    await rotateSecret(ctx, { id, ifMatch, secret: undefined }, rules);
    await expect(deleteEndpoint(ctx, { id, ifMatch: [1] })).rejects.toMatchObject({ status: 412 });
    await deleteEndpoint(ctx, { id, ifMatch });
    await expect(getEndpoint(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteEndpoint(ctx, { id, ifMatch })).rejects.toMatchObject({ code: 'not_found' });
    const page = { limit: 5, offset: 0, after: undefined, sort: { field: 'created_at', isDescending: true } } as const;
    expect((await listEndpoints(ctx, {}, page)).total).toBe(0);
    expect(await findTarget(ctx, id)).toMatchObject({
      status: 'deleted',
      secret: '',
      previousSecret: null,
      headers: null,
    });
  });
});

describe('enabling and disabling', () => {
  it('disables once, with one event, and enables again without one', async () => {
    const id = await make();
    const disabled = await disableByHand(ctx, { id, ifMatch });
    expect(disabled).toMatchObject({
      isChanged: true,
      version: 2,
      body: { status: 'disabled', status_reason: 'requested' },
    });
    expect(disabled.body.status_changed_at).toMatch(/Z$/);
    expect(await disableByHand(ctx, { id, ifMatch })).toEqual({ ...disabled, isChanged: false });
    expect(await findTarget(ctx, id)).toMatchObject({ status: 'disabled' });
    const enabled = await enableByHand(ctx, { id, ifMatch });
    expect(enabled).toMatchObject({ version: 3, body: { status: 'active', status_reason: null } });
    expect(await enableByHand(ctx, { id, ifMatch })).toEqual({ ...enabled, isChanged: false });
    expect(await healthEvents()).toEqual([
      {
        type: 'webhook.disabled',
        data: { webhook_id: id, url, status: 'disabled', reason: 'requested', failing_since: null, failures_in_row: 0 },
      },
    ]);
  });

  it.each(['failing', 'paused'])('enables one that is %s, forgets its failures, and reports it', async (status) => {
    const id = await make();
    const at = new Date('2026-11-20T10:00:00.000Z');
    await ctx.db.prisma.endpoint.updateMany({
      where: { tenantId: ctx.tenantId, id },
      data: { status, statusReason: 'why', failuresInRow: 12, failingSince: at, probes: 3 },
    });
    const { body } = await enableByHand(ctx, { id, ifMatch });
    expect(body).toMatchObject({ status: 'active', status_reason: null, failing_since: null, failures_in_row: 0 });
    const [row] = await ctx.db.query('SELECT probe_at, probes FROM endpoints WHERE id = $1', [id]);
    expect(row).toEqual({ probe_at: null, probes: 0 });
    const failures = { failing_since: '2026-11-20T10:00:00Z', failures_in_row: 12 };
    expect(await healthEvents()).toEqual([
      {
        type: 'webhook.recovered',
        data: { webhook_id: id, url, status: 'active', reason: 'requested', ...failures },
      },
    ]);
  });

  it('refuses another version and an unknown endpoint', async () => {
    const id = await make();
    for (const act of [disableByHand, enableByHand]) {
      await expect(act(ctx, { id, ifMatch: [9] })).rejects.toMatchObject({ status: 412 });
      await expect(act(ctx, { id: 'whk_none', ifMatch })).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('rotating a secret', () => {
  const rotate = (id: string, given?: string) => rotateSecret(ctx, { id, ifMatch, secret: given }, rules);
  const secretsOf = async (id: string) => (await keysOf(id))?.secrets;

  it('creates a secret, shows it once, and keeps the previous one for 24 hours', async () => {
    const id = await make();
    const { body, version } = await rotate(id);
    expect([version, body.secret]).toEqual([2, expect.stringMatching(/^whsec_/)]);
    const { secret: made = '', ...shown } = body;
    expect(await getEndpoint(ctx, id)).toEqual({ body: shown, version });
    const until = Date.parse(shown.previous_secret_until ?? '') - ctx.clock.now().getTime();
    expect(until / hourMs).toBeCloseTo(24, 1);
    expect(await secretsOf(id)).toEqual([made, secret]);
    await db.shiftClock(24 * 3_600);
    expect(await secretsOf(id)).toEqual([made]);
  });

  it('does not show a given secret, and drops the oldest at a second rotation', async () => {
    const id = await make();
    const [second, third] = ['the second secret of all', 'the third secret of all'];
    expect((await rotate(id, second)).body).not.toHaveProperty('secret');
    expect(await secretsOf(id)).toEqual([second, secret]);
    await rotate(id, third);
    expect(await secretsOf(id)).toEqual([third, second]);
  });

  it('replaces a secret whose encryption key is lost, which no longer signs', async () => {
    const id = await make({ headers: { 'X-Token': 'a' } });
    ctx = { ...ctx, secrets: createSecretBox([randomBytes(32).toString('base64')]) };
    expect(await keysOf(id)).toBeUndefined();
    const { body } = await rotate(id);
    expect(body.previous_secret_until).toBeNull();
    await change(id, { headers: null });
    expect(await keysOf(id)).toEqual({ headers: {}, secrets: [body.secret] });
  });

  it('refuses a short secret, and keeps the current one', async () => {
    const id = await make();
    await expect(rotate(id, 'fifteen letters')).rejects.toMatchObject(refusal('secret', 'min_length'));
    expect(await secretsOf(id)).toEqual([secret]);
  });
});
