import { AppError, newId } from '@eas/core';
import {
  leastHoldMs,
  maxHoldMs,
  runsOf,
  useTestDatabase,
  type WorstBody,
  worstPlatformBodies,
  worstPullRequests,
  worstSourceHostBodies,
} from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboundScene } from '../../test/inbound-scene.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
let tenantId: string;
let secret: string;
let [platformId, sourceHostId] = ['', ''];
/** From now on a tenant is used that has received nothing yet: repeats are not applied again. */
async function enterNewTenant(): Promise<void> {
  tenantId = await test.createTenant();
  secret = `a secret of sixteen ${tenantId}`;
  const platform = await scene.connect(tenantId, { type: 'taskplatform', secret });
  const sourceHost = await scene.connect(tenantId, {
    type: 'github',
    org_name: 'worst',
    secret,
    labels: { 'label 7': 'rd' },
  });
  [platformId, sourceHostId] = [platform.integration.id, sourceHost.integration.id];
}
beforeAll(async () => {
  scene = inboundScene(test);
  await enterNewTenant();
});

type Send = (raw: Buffer | object) => Promise<unknown>;
const sendPlatform: Send = (raw) => scene.sendPlatform(raw, { secret, to: platformId });
const sendEvent =
  (event: string): Send =>
  (raw) =>
    scene.sendSourceHost(event, raw, { secret, to: sourceHostId });
const sendSourceHost = sendEvent('pull_request');

/** True: the receiver took it. What it refuses costs no further work. */
async function isTaken(sent: Promise<unknown>): Promise<boolean> {
  return sent.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return false;
    },
  );
}
async function lastReceipt() {
  const rows = await test.database.db.query<{ event: string; status: string; outcome: string }>(
    'SELECT event, status, outcome FROM inbound_events WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
    [tenantId],
  );
  return rows[0];
}

const isObject = ({ name }: WorstBody) => !/^(alone|bytes)/.test(name);
const isPullRequest = ({ name }: WorstBody) => !/^(alone|data|bytes)/.test(name);

describe('a receipt at its worst', () => {
  // What is no object, and what is no pull request, the receiver refuses whatever it holds.
  const cases: [string, WorstBody, Send][] = [
    ...worstPlatformBodies()
      .filter(isObject)
      .map((body): [string, WorstBody, Send] => [`platform: ${body.name}`, body, sendPlatform]),
    ...worstPullRequests()
      .filter(isPullRequest)
      .map((body): [string, WorstBody, Send] => [`source host: ${body.name}`, body, sendSourceHost]),
    ...worstSourceHostBodies().map((body): [string, WorstBody, Send] => [body.name, body, sendEvent(body.event)]),
  ];

  it.each(cases)('is settled without holding the event loop: %s', async (_name, body, send) => {
    if (!(await isTaken(send(body.make())))) return;
    let isFirst = true;
    const held = await leastHoldMs(
      () => scene.apply(tenantId),
      async () => {
        if (!isFirst) await enterNewTenant();
        if (!isFirst) expect(await isTaken(send(body.make()))).toBe(true);
        isFirst = false;
      },
    );
    expect(await lastReceipt()).toMatchObject({
      status: expect.stringMatching(/^(applied|ignored|failed|quarantined)$/),
    });
    expect(held).toBeLessThanOrEqual(maxHoldMs);
  });

  it('fails with its reason when it changes too much, and changes nothing', async () => {
    const history = (count: number) => Array.from({ length: count }, () => ({ field: 'name', after: 'never' }));
    await sendPlatform({ event: 'taskCreated', task_id: 'too-much', history_items: history(501) });
    await scene.apply(tenantId);
    expect(await lastReceipt()).toMatchObject({ status: 'failed', outcome: expect.stringMatching(/^too_large: 501/) });
    const linked = await test.database.db.query('SELECT FROM task_links WHERE tenant_id = $1 AND external_id = $2', [
      tenantId,
      'too-much',
    ]);
    expect(linked).toEqual([]);
  });

  it('fails alone: those that came with it are applied', async () => {
    const tags = Array.from({ length: 201 }, (_, n) => `t${n}`);
    await sendPlatform({ event: 'taskCreated', task_id: 'one', data: { name: 'one' } });
    await sendPlatform({ event: 'taskUpdated', task_id: 'one', history_items: [{ field: 'tags', added: tags }] });
    await sendPlatform({
      event: 'listUpdated',
      list_id: 'one',
      data: Object.fromEntries(tags.map((t) => [t, 'x'.repeat(400)])),
    });
    await sendPlatform({ event: 'taskCreated', task_id: 'two', data: { name: 'two' } });
    await scene.apply(tenantId);
    const settled = await test.database.db.query<{ status: string; outcome: string }>(
      `SELECT status, outcome FROM inbound_events WHERE tenant_id = $1 AND external_id IN ('one', 'two') ORDER BY id`,
      [tenantId],
    );
    expect(settled.map(({ status }) => status)).toEqual(['applied', 'failed', 'failed', 'applied']);
    for (const { outcome } of settled.slice(1, 3)) expect(outcome).toMatch(/^too_large: /);
  });

  it('is settled whatever the receiver takes: what is longer outside than inside is cut', async () => {
    const long = fc
      .constantFrom('', 'a', 'é', '😀')
      .chain((letter) => fc.constantFrom(1, 64, 65, 255, 256, 500, 501, 70_000).map((count) => letter.repeat(count)));
    const user = fc.record({ username: long });
    const item = fc.record({
      id: fc.oneof(fc.nat(), fc.constant('i'.repeat(255))),
      field: fc.constantFrom('name', 'content', 'status', 'comment', 'tag', 'due_date', 'priority'),
      date: fc.constantFrom(0, -1, 1e15, 253_402_300_799_999, '2026-01-01', 'x'),
      after: fc.oneof(
        long,
        long.map((name) => [{ name }]),
        long.map((status) => ({ status })),
        fc.constant(null),
      ),
      comment: fc.oneof(fc.constant(undefined), fc.record({ text_content: long, user, id: long })),
      user,
    });
    const data = fc.record({ name: long, description: long, tags: fc.array(long, { maxLength: 3 }) });
    const task = fc.record({
      event: fc.constantFrom('taskCreated', 'taskUpdated', 'taskCommentPosted', 'listUpdated'),
      task_id: fc.constant('t'.repeat(255)),
      list_id: fc.constant('l'.repeat(255)),
      history_items: fc.array(item, { maxLength: 3 }),
      data,
    });
    const pullRequest = fc.record({
      action: fc.constant('opened'),
      number: fc.constantFrom(1, 2_147_483_647, 2_147_483_648, 2 ** 40),
      repository: fc.record({ full_name: long, owner: fc.constant({ login: 'worst' }) }),
      pull_request: fc.record({
        title: long,
        html_url: long,
        body: long,
        user: fc.oneof(fc.constant(null), fc.record({ login: long })),
        head: fc.record({ ref: long }),
      }),
    });
    const sent = fc.oneof(
      task.map((body) => () => sendPlatform({ ...body, _: newId('request') })),
      pullRequest.map((body) => () => sendSourceHost(body)),
    );
    await fc.assert(
      fc.asyncProperty(sent, async (send) => {
        if (!(await isTaken(send()))) return;
        await scene.apply(tenantId);
        const { event = '', status = '', outcome = '' } = (await lastReceipt()) ?? {};
        // Of lists there are copies, which have a bound of their own.
        if (event !== 'listUpdated' || !outcome.startsWith('too_large')) expect(status).toMatch(/^(applied|ignored)$/);
      }),
      { numRuns: runsOf(50, 300) },
    );
  });
});
