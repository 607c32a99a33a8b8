import type { Logger } from '@eas/core';
import pg from 'pg';
import { connectionOptions, statementTimeoutMs } from './connection-options.ts';
import type { Queryable } from './db.ts';
import { limitOptions } from './session-settings.ts';

/**
 * Wake-up channels: `outbox` (events are pending for a consumer), `work` (tenant and role that may have a task to
 * claim), `slot` (tenant and agent that may claim again), `stream` (a history grew: of a tenant's events or of a task),
 * `access` (a credential changed).
 */
export type Channel = 'outbox' | 'work' | 'slot' | 'stream' | 'access';

/** Wakes the listeners of a channel with a key; to be called after the commit. Never throws. */
export type NotifyAfterCommit = (channel: Channel, key: string) => void;

/** `flush` sends what is still waiting: a process that ends right after a commit wakes listeners too. */
export type Notifier = { notify: NotifyAfterCommit; flush(): Promise<void> };

/** Keys of one notification are separated by this character; keys themselves never contain it. */
const separator = '\n';
/** Postgres takes fewer than 8,000 bytes a notification. */
const maxPayloadBytes = 7_000;
/** More keys than fit into this number of notifications are sent as one empty key: "check everything". */
const maxPayloads = 8;

const notifySql = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS sent (channel, payload)';

function payloadsOf(keys: ReadonlySet<string>): string[] {
  if (keys.has('')) return [''];
  const payloads: string[] = [];
  let open = '';
  for (const key of keys) {
    const longer = open === '' ? key : `${open}${separator}${key}`;
    if (open === '' || Buffer.byteLength(longer) <= maxPayloadBytes) open = longer;
    else {
      payloads.push(open);
      open = key;
    }
  }
  payloads.push(open);
  const fits = payloads.length <= maxPayloads && payloads.every((text) => Buffer.byteLength(text) <= maxPayloadBytes);
  return fits ? payloads : [''];
}

/**
 * Sends wake-ups after commit, at most once per `intervalMs` and in one statement: a pg_notify inside the write
 * transaction would halve its throughput. A lost wake-up is only late: every listener also polls.
 */
export function createNotifier(queryable: Queryable, logger: Logger, intervalMs = 5): Notifier {
  const pending = new Map<Channel, Set<string>>();
  let isScheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = -Infinity;

  async function send(): Promise<void> {
    isScheduled = false;
    clearTimeout(timer);
    if (pending.size === 0) return;
    lastSentAt = performance.now();
    const sent = [...pending].flatMap(([channel, keys]) => payloadsOf(keys).map((payload) => [channel, payload]));
    const values = [sent.map(([channel]) => channel), sent.map(([, payload]) => payload)];
    pending.clear();
    await queryable
      .query({ name: 'notify', text: notifySql, values })
      .catch((error: Error) => logger.warn({ err: error }, 'notify failed, listeners will poll'));
  }

  const notify: NotifyAfterCommit = (channel, key) => {
    const keys = pending.get(channel);
    if (keys) keys.add(key);
    else pending.set(channel, new Set([key]));
    if (isScheduled) return;
    isScheduled = true;
    const waitMs = lastSentAt + intervalMs - performance.now();
    if (waitMs <= 0) setImmediate(() => void send());
    else timer = setTimeout(() => void send(), waitMs);
  };
  return { notify, flush: send };
}

export type Listener = {
  /** Calls `wake` with each key that was notified, and with '' when anything may have been missed. */
  on(channel: Channel, wake: (key: string) => void): () => void;
  close(): Promise<void>;
};

/** A listening connection is checked every `heartbeatMs`, and is given up when a check has no response in `silentMs`. */
type ListenerChecks = { heartbeatMs: number; silentMs: number };

const usualChecks: ListenerChecks = { heartbeatMs: 5_000, silentMs: statementTimeoutMs };

/** One LISTEN connection for the process. It reconnects after 0.1 to 5 s and then calls all wakers. */
export function createListener(
  connectionString: string,
  logger: Logger,
  { heartbeatMs, silentMs } = usualChecks,
): Listener {
  const wakers = new Map<Channel, Set<(key: string) => void>>();
  let client: pg.Client | undefined;
  let isOpened = false;
  let isClosed = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const wakeAll = (channel: Channel, key: string) => wakers.get(channel)?.forEach((wake) => wake(key));

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOptions,
      connectionString,
      application_name: 'eas-listen',
      query_timeout: silentMs,
      options: limitOptions,
      // A statement without a response then ends the connection.
      pipeline: true,
    });
    next.on('error', () => {});
    next.once('end', () => {
      if (client === next) client = undefined;
      if (!isClosed) retry();
    });
    next.on('notification', ({ channel, payload }) => {
      for (const key of (payload ?? '').split(separator)) wakeAll(channel as Channel, key);
    });
    await next.connect();
    // Closed in the meantime: no other code knows this connection.
    if (isClosed) return next.end();
    client = next;
    const heartbeat = setInterval(() => void next.query('SELECT').catch(() => {}), heartbeatMs);
    next.once('end', () => clearInterval(heartbeat));
    for (const channel of wakers.keys()) await next.query(`LISTEN ${channel}`);
    failures = 0;
    for (const channel of wakers.keys()) wakeAll(channel, '');
  }

  function retry(): void {
    clearTimeout(timer);
    failures += 1;
    timer = setTimeout(open, Math.min(5_000, 100 * 2 ** failures));
  }

  function open(): void {
    isOpened = true;
    connect().catch((error: Error) => {
      logger.warn({ err: error }, 'listen failed, reconnecting');
      if (!isClosed) retry();
    });
  }

  return {
    on(channel, wake) {
      const known = wakers.get(channel) ?? new Set();
      const isNewChannel = !wakers.has(channel);
      wakers.set(channel, known.add(wake));
      if (!isOpened) open();
      else if (client && isNewChannel) void client.query(`LISTEN ${channel}`).catch(() => {});
      return () => void known.delete(wake);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
