import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { startSilentProxy } from '@eas/testing/silent-proxy';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Channel, createListener, createNotifier, type Listener, type NotifyAfterCommit } from './notify.ts';

const test = useTestDatabase();
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

/** A busy machine does not have it reconnect, which would add empty keys to what is received. */
const patient = { heartbeatMs: 5_000, silentMs: 3_600_000 };

function listen(url = test.url, checks = patient): Listener {
  const listener = createListener(url, silentLogger, checks);
  open.push(listener);
  return listener;
}

/** Keys that a listener receives on a channel. Resolves once it listens, which an empty key shows. */
async function subscribe(listener: Listener, channel: Channel): Promise<string[]> {
  const received: string[] = [];
  listener.on(channel, (key) => received.push(key));
  await eventually(() => received.length > 0);
  expect(received.splice(0)).toEqual(['']);
  return received;
}

const listeningPids = async () =>
  (
    await test.database.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'eas-listen' AND datname = current_database()`,
    )
  ).map(({ pid }) => pid);

/** A notifier that counts its notifications. */
function countingNotifier(intervalMs: number): { notify: NotifyAfterCommit; flush(): Promise<void>; sent: string[] } {
  const sent: string[] = [];
  const pool = new pg.Pool({ connectionString: test.url, max: 2 });
  open.push({ close: () => pool.end() });
  const counted = Object.assign(Object.create(pool) as pg.Pool, {
    query(statement: { values: string[][] }) {
      sent.push((statement.values[1] ?? []).join('|'));
      return pool.query(statement as pg.QueryConfig);
    },
  });
  return { ...createNotifier(counted, silentLogger, intervalMs), sent };
}

describe('a wake-up', () => {
  it('reaches the listeners of its channel in every process, and of no other channel', async () => {
    const [one, two] = [listen(), listen()];
    const [work, workToo, stream] = [await subscribe(one, 'work'), await subscribe(two, 'work'), [] as string[]];
    one.on('stream', (key) => stream.push(key));
    const { notify } = countingNotifier(5);
    notify('work', 'tnt_1 rd');
    await eventually(() => work.length > 0 && workToo.length > 0);
    expect([work, workToo, stream]).toEqual([['tnt_1 rd'], ['tnt_1 rd'], []]);
  });

  it('is sent with all concurrent ones in one notification per channel, each key once', async () => {
    const received = await subscribe(listen(), 'work');
    const { notify, sent } = countingNotifier(20);
    for (const key of ['a', 'b', 'a', 'c', 'b']) notify('work', key);
    await eventually(() => received.length === 3);
    expect(received).toEqual(['a', 'b', 'c']);
    expect(sent).toHaveLength(1);
  });

  it('is sent at once when it is the first, then at most once per interval', async () => {
    const received = await subscribe(listen(), 'outbox');
    const { notify, sent } = countingNotifier(1_000);
    notify('outbox', 'first');
    // The interval begins when that is sent, which may be long before it is received.
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual(['first']);
    for (let n = 0; n < 50; n += 1) notify('outbox', `later${n}`);
    await eventually(() => received.length === 51);
    expect(sent).toHaveLength(2);
  });

  it('is sent early when the process ends', async () => {
    const received = await subscribe(listen(), 'access');
    const { notify, flush, sent } = countingNotifier(3_600_000);
    notify('access', 'first');
    await eventually(() => received.length === 1);
    notify('access', 'last');
    await flush();
    await eventually(() => received.length === 2);
    await flush();
    expect(sent).toEqual(['first', 'last']);
  });

  it('is sent in one statement with those of other channels, and in several notifications when there are many keys', async () => {
    const listener = listen();
    const [work, stream] = [await subscribe(listener, 'work'), [] as string[]];
    listener.on('stream', (key) => stream.push(key));
    const { notify, sent } = countingNotifier(200);
    await eventually(() => (notify('stream', 'ready'), stream.length > 0));
    const before = sent.length;
    for (let n = 0; n < 1_000; n += 1) notify('work', `tnt_${n} rd`);
    notify('stream', 'one');
    await eventually(() => work.length === 1_000 && stream.at(-1) === 'one');
    expect([work[0], work[999]]).toEqual(['tnt_0 rd', 'tnt_999 rd']);
    expect(sent.length - before).toBeLessThanOrEqual(2);
  });

  it('is sent as an empty key, "check everything", when there are more keys than fit into a few notifications', async () => {
    const received = await subscribe(listen(), 'work');
    const { notify } = countingNotifier(5);
    for (let n = 0; n < 8_000; n += 1) notify('work', `tnt_${n} rd`);
    await eventually(() => received.length > 0);
    expect(received).toEqual(['']);
    notify('work', 'small again');
    await eventually(() => received.length > 1);
    expect(received).toEqual(['', 'small again']);
  });

  it('measures its keys in bytes, as Postgres does', async () => {
    const received = await subscribe(listen(), 'work');
    const { notify } = countingNotifier(5);
    notify('work', 'é'.repeat(3_900)); // 7,800 bytes
    await eventually(() => received.length > 0);
    expect(received).toEqual(['']);
  });
});

describe('a listener', () => {
  let listener: Listener;
  beforeEach(() => {
    listener = listen();
  });

  it('has one connection, however many channels and wakers it serves', async () => {
    const received = await subscribe(listener, 'work');
    listener.on('stream', () => {});
    listener.on('access', () => {});
    listener.on('work', (key) => received.push(`second ${key}`));
    expect(await listeningPids()).toHaveLength(1);
    const { notify } = countingNotifier(5);
    notify('work', 'a');
    await eventually(() => received.length === 2);
    expect(received).toEqual(['a', 'second a']);
  });

  it('has one connection even if its first waker leaves before it is established', async () => {
    listener.on('work', () => {})();
    await subscribe(listener, 'work');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await listeningPids()).toHaveLength(1);
  });

  it('receives from a channel that is added later', async () => {
    await subscribe(listener, 'work');
    const stream: string[] = [];
    listener.on('stream', (key) => stream.push(key));
    const { notify } = countingNotifier(1);
    await eventually(() => (notify('stream', 'x'), stream.length > 0));
    expect(stream[0]).toBe('x');
  });

  it('no longer calls removed wakers', async () => {
    const received = await subscribe(listener, 'work');
    const left: string[] = [];
    listener.on('work', (key) => left.push(key))();
    countingNotifier(5).notify('work', 'a');
    await eventually(() => received.length > 0);
    expect(left).toEqual([]);
  });

  it('reconnects when its connection is cut, calls all wakers, and receives from all channels', async () => {
    const work = await subscribe(listener, 'work');
    const stream: string[] = [];
    listener.on('stream', (key) => stream.push(key));
    const [pid] = await listeningPids();
    await test.database.db.query('SELECT pg_terminate_backend($1)', [pid]);
    await eventually(() => work.includes('') && stream.includes(''));
    const { notify } = countingNotifier(5);
    notify('work', 'again');
    notify('stream', 'too');
    await eventually(() => work.includes('again') && stream.includes('too'));
    // A terminated connection is reported before it is gone.
    await eventually(async () => !(await listeningPids()).includes(pid ?? 0));
    expect(await listeningPids()).toHaveLength(1);
  });

  it('reconnects soon after its connection fell silent', async () => {
    const proxy = await startSilentProxy(test.url);
    open.push({ close: async () => proxy.close() });
    const work = await subscribe(listen(proxy.url, { heartbeatMs: 50, silentMs: 500 }), 'work');
    await eventually(() => proxy.silence() === 1);
    await eventually(() => work.includes(''));
    const { notify } = countingNotifier(5);
    await eventually(() => (notify('work', 'received again'), work.includes('received again')));
  });

  it('leaves no connection behind, whenever it is closed', async () => {
    await subscribe(listener, 'work');
    await listener.close();
    const hasty = createListener(test.url, silentLogger);
    hasty.on('work', () => {});
    await hasty.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await eventually(async () => (await listeningPids()).length === 0);
  });
});
