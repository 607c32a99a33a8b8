import { followSession, sweepExpiredLeases } from '@eas/tasks';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openStream } from '../streams/sse-client.ts';
import { useStreamGateways } from '../streams/stream-gateways.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();
const gateways = useStreamGateways(gateway.test, 1);

const say = (text: string) => ({ kind: 'text', text });
const texts = (from: number, count: number) => Array.from({ length: count }, (_, n) => say(`${from + n}`));
const read = async (task: Json, query = ''): Promise<Json> =>
  (await gateway.get(`/v1/tasks/${task.id}/session${query}`)).body;

const usageIn = (currency: string) => ({ kind: 'usage', cost: { amount: 1, currency } });

/** A task under a lease, and what appends to its session. */
async function working() {
  const scene = await openScene(gateway);
  const { task, lease } = await scene.begin();
  const append = (first: number, entries: object[], of: Json = lease) =>
    scene.call(of, 'session/entries', { first, entries });
  return { ...scene, task, lease, append };
}

async function lose(lease: Json): Promise<void> {
  const sql = "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1";
  await gateway.test.database.db.query(sql, [lease.lease_id]);
  await sweepExpiredLeases(gateway.test.database);
}

/** One entry of each kind. */
const everything = [
  { kind: 'prompt', text: 'Fix the login.' },
  { kind: 'thought', text: 'Hm.', message_id: 'm1' },
  { kind: 'text', text: 'I run the tests.', message_id: 'm2' },
  { kind: 'tool', id: 'c1', type: 'execute', name: 'Bash', title: 'npm test', status: 'in_progress' },
  { kind: 'tool', id: 'c1', status: 'failed', output: '1 failed' },
  { kind: 'tool', id: 'c2', type: 'edit', diff: { path: 'a.ts', old_text: '', new_text: 'x' } },
  {
    kind: 'tool',
    id: 'c3',
    diff: { path: 'a.ts', old_text: '', new_text: 'x' },
    more_diffs: [{ path: 'b.ts', old_text: '', new_text: 'y' }],
  },
  { kind: 'plan', steps: [{ text: 'Test', status: 'completed' }] },
  { kind: 'usage', tokens: 1_200, cost: { amount: 0.02, currency: 'USD' }, model: 'small' },
  { kind: 'permission', tool: 'Bash', title: 'rm -rf /', is_allowed: false },
  { kind: 'question', text: 'Which branch?' },
  { kind: 'notice', text: 'resumed' },
  { kind: 'stop', reason: 'end_turn' },
];

describe('the session of a task', () => {
  it('has numbered entries of the agent, without events or timeline entries', async () => {
    const { append, task, lease, id } = await working();
    const events = "SELECT count(*)::int AS n FROM events WHERE event_type LIKE 'task.%'";
    const before = await gateway.test.database.db.query(events);
    const response = await append(1, everything);
    const state = { next: 14, is_followed: false, directives: [], expires_at: expect.any(String) };
    expect(response).toMatchObject({ status: 200, body: state });
    const { data, has_more } = await read(task);
    const common = { at: expect.any(String), lease_id: lease.lease_id, agent_id: id, attempt: 1 };
    expect(data).toEqual(everything.map((entry, n) => ({ number: n + 1, ...common, ...entry })));
    expect(has_more).toBe(false);
    expect(await gateway.test.database.db.query(events)).toEqual(before);
    expect((await gateway.get(`/v1/tasks/${task.id}/timeline`)).body.data).toHaveLength(2);
  });

  it('is read page by page, from any number on', async () => {
    const { append, task } = await working();
    for (let first = 1; first <= 60; first += 3) await append(first, texts(first, 3));
    const seen: string[] = [];
    for (let isMore = true; isMore;) {
      const page = await read(task, `?limit=7&after=${seen.length}`);
      seen.push(...page.data.map(({ text }: Json) => text));
      isMore = page.has_more;
    }
    expect(seen).toEqual(texts(1, 60).map(({ text }) => text));
    expect(await read(task, '?after=60')).toEqual({ data: [], has_more: false, last_number: 60 });
  });

  it('is read and streamed in pages of some MiB, however large its entries are', async () => {
    const { append, task } = await working();
    const large = Array(4).fill(say('x'.repeat(60_000)));
    for (let first = 1; first <= 49; first += 4) await append(first, large);
    const page = await read(task, '?limit=1000');
    expect([page.data.length, page.has_more]).toEqual([32, true]);
    expect(await read(task, '?limit=1000&after=32')).toMatchObject({ data: { length: 20 }, has_more: false });
    const { db } = gateway.test.database;
    const [{ tenantId }] = (await db.query('SELECT tenant_id AS "tenantId" FROM tasks WHERE id = $1', [task.id])) as [
      Json,
    ];
    const history = await followSession({ db, tenantId, clock: { monotonicMs: () => 0 } } as never, task.id);
    expect(await history.readAfter(0, 100)).toHaveLength(32);
  });

  it('has the attempts of all leases in sequence, each numbered from 1', async () => {
    const { append, task, lease, call, claim } = await working();
    await append(1, texts(1, 2));
    await call(lease, 'fail', { reason: 'r', retry_after_seconds: 0 });
    const next = (await claim()).body.lease;
    expect((await append(1, texts(3, 1), next)).body.next).toBe(2);
    const { fencing_token } = (await call(next, 'resume', {})).body.lease;
    await append(1, texts(4, 1), { ...next, fencing_token });
    const { data } = await read(task);
    expect(data.map(({ number, text, lease_id, attempt }: Json) => [number, text, lease_id, attempt])).toEqual([
      [1, '1', lease.lease_id, 1],
      [2, '2', lease.lease_id, 1],
      [3, '3', next.lease_id, 2],
      [4, '4', next.lease_id, 2],
    ]);
  });

  it('takes entries once and in their order', async () => {
    const { append, task } = await working();
    await append(1, texts(1, 2));
    expect((await append(1, texts(1, 2))).body.next).toBe(3);
    for (const first of [2, 4, 100]) {
      const refused = await append(first, texts(first, 2));
      expectError(refused, 409, 'conflict', { field: 'first', constraint: 'state' });
      expect(refused.body.error.message).toContain('number 3');
    }
    expect((await read(task)).data).toHaveLength(2);
  });

  it('takes each of many batches that are sent twice at the same time once', async () => {
    const { append, task } = await working();
    for (let first = 1; first <= 20; first += 2) await Promise.all([1, 2, 3].map(() => append(first, texts(first, 2))));
    expect((await read(task)).data.map(({ text }: Json) => text)).toEqual(texts(1, 20).map(({ text }) => text));
  });

  it('that is full under a lease still takes how it ends, and takes everything of the next attempt', async () => {
    const { append, task, lease, call, claim } = await working();
    await append(1, texts(1, 1));
    const fill = 'UPDATE task_sessions SET bytes = 63 * 1024 * 1024 WHERE task_id = $1';
    await gateway.test.database.db.query(fill, [task.id]);
    expectError(await append(2, texts(2, 1)), 409, 'conflict', { field: 'entries', constraint: 'limit' });
    const brief = [
      { kind: 'notice', text: 'It is full.' },
      { kind: 'question', text: 'Which branch?' },
      { kind: 'permission', tool: 'Bash', title: 'rm', is_allowed: false },
      { kind: 'stop', reason: 'end_turn' },
    ];
    expect((await append(2, brief)).body.next).toBe(6);
    await call(lease, 'fail', { reason: 'r', retry_after_seconds: 0 });
    expect((await append(1, texts(6, 1), (await claim()).body.lease)).body.next).toBe(2);
    expect((await read(task)).data.map(({ kind }: Json) => kind)).toEqual([
      'text',
      ...brief.map(({ kind }) => kind),
      'text',
    ]);
  });

  it('takes nothing under a lost lease or an old token', async () => {
    const { append, task, lease, call } = await working();
    await append(1, texts(1, 1));
    const { fencing_token } = (await call(lease, 'resume', {})).body.lease;
    const lost = { field: 'fencing_token', constraint: 'lease_lost' };
    expectError(await append(2, texts(2, 1)), 409, 'conflict', lost);
    const resumed = { ...lease, fencing_token };
    expect((await append(1, texts(2, 1), resumed)).body.next).toBe(2);
    await lose(lease);
    expectError(await append(2, texts(3, 1), resumed), 409, 'conflict', lost);
    expect((await read(task)).data).toHaveLength(2);
  });

  it('grows while the agent waits for a person', async () => {
    const { append, task, lease, call } = await working();
    await call(lease, 'inputs', { kind: 'question', prompt: 'Which?' });
    expect((await append(1, texts(1, 1))).body).toMatchObject({ expires_at: null, next: 2 });
    expect((await read(task)).data).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    ['entries over 256 KiB', { entries: Array(5).fill(say('x'.repeat(60_000))) }, 'entries', 'max_size'],
    ['an entry that is too long', { entries: [say('x'.repeat(70_000))] }, 'entries.0.text', 'max_length'],
    ['more than 200 entries', { entries: texts(1, 201) }, 'entries', 'max_length'],
    ['no entry', { entries: [] }, 'entries', 'min_length'],
    ['an unknown kind', { entries: [{ kind: 'noise' }] }, 'entries.0.kind', 'enum'],
    ['a currency of other characters', { entries: [usageIn('1$%')] }, 'entries.0.cost.currency', 'pattern'],
    ['an unknown field', { entries: [{ ...say('a'), loud: true }] }, 'entries.0.loud', 'unknown_field'],
    ['a first entry 0', { first: 0, entries: [say('a')] }, 'first', 'min'],
    ['U+0000 in a text', { entries: [say('a\0b')] }, 'entries.0.text', 'format'],
  ])('refuses %s and stays as it is', async (_title, body, field, constraint) => {
    const { call, lease, task } = await working();
    const refused = await call(lease, 'session/entries', { first: 1, ...body });
    expectError(refused, 400, 'invalid_input', { field, constraint });
    expect((await read(task)).data).toEqual([]);
  });

  it('of 1 MiB in one entry is refused before it is read', async () => {
    const { append } = await working();
    expect((await append(1, [say('x'.repeat(1_048_576))])).status).toBe(413);
  });

  it('keeps control characters other than U+0000 as they are', async () => {
    const { append, task } = await working();
    const text = '\u001b[1m bold \u001b[0m\r\n\t\u0007\u2028';
    await append(1, [say(text)]);
    expect((await read(task)).data[0].text).toBe(text);
  });

  it('is refused to agents that do not have the task', async () => {
    const { task } = await working();
    const { key } = await openScene(gateway);
    expect((await gateway.get(`/v1/tasks/${task.id}/session`, { key })).status).toBe(404);
    expect((await gateway.get(`/v1/tasks/${task.id}/session/events`, { key })).status).toBe(404);
    expectError(await gateway.get('/v1/tasks/tsk_1/session'), 404, 'not_found');
  });
});

describe('following the session of a task', () => {
  it('sends what is there and what comes, and the agent learns that it is followed', async () => {
    const { append, task } = await working();
    await append(1, texts(1, 2));
    const key = await gateway.makeKey(['tasks:read']);
    const client = await openStream(`${gateways[0]?.url}/v1/tasks/${task.id}/session/events`, { 'x-api-key': key });
    await eventually(() => client.received.length === 2);
    expect((await append(3, texts(3, 1))).body).toMatchObject({ next: 4, is_followed: true });
    await eventually(() => client.received.length === 3);
    expect(client.received.map(({ id, event }) => [id, event])).toEqual([
      ['1', 'text'],
      ['2', 'text'],
      ['3', 'text'],
    ]);
    expect(client.received.map(({ data }) => data)).toEqual((await read(task)).data);
    client.cut();
  });

  it('begins before the first entry', async () => {
    const { append, task } = await working();
    const key = await gateway.makeKey(['tasks:read']);
    const client = await openStream(`${gateways[0]?.url}/v1/tasks/${task.id}/session/events`, { 'x-api-key': key });
    await eventually(async () => {
      const [row] = await gateway.test.database.db.query('SELECT FROM task_sessions WHERE task_id = $1', [task.id]);
      return row !== undefined;
    });
    expect((await append(1, texts(1, 1))).body.is_followed).toBe(true);
    await eventually(() => client.received.length === 1);
    client.cut();
  });
});
