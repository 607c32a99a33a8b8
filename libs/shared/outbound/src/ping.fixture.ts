import type { Tx } from '@eas/db';
import {
  type DestinationTable,
  doublingWaits,
  isCutOff,
  type MessageTable,
  type OutboundResult,
  retryOrFail,
  type Send,
  type TargetKind,
  wakeDestinations,
} from './index.ts';

export type Host = { host: string };
export type Ping = { id: string; url: string };

/** The tables of a kind of target: hosts and the pings that they get. */
export const pingTables = [
  `CREATE TABLE hosts (tenant_id text, host text, due_at timestamptz(3), rest_until timestamptz(3), claims int DEFAULT 0,
    slow_pings int DEFAULT 0, PRIMARY KEY (tenant_id, host))`,
  `CREATE TABLE pings (tenant_id text, id text, host text, url text, state text DEFAULT 'waiting', attempts int DEFAULT 0,
    last_error text, due_at timestamptz(3), settled_at timestamptz(3), created_at timestamptz(3),
    PRIMARY KEY (tenant_id, id))`,
];

export const hosts: DestinationTable = {
  table: 'hosts',
  key: ['host'],
  dueAt: 'due_at',
  restUntil: 'rest_until',
  fence: 'claims',
  slowCount: 'slow_pings',
};

export const pings: MessageTable = {
  table: 'pings',
  key: ['id'],
  own: ['url'],
  states: { waiting: 'waiting', sent: 'sent' },
  dueAt: 'due_at',
  settledAt: 'settled_at',
  order: 'id',
};

const policy = { scheduleMs: doublingWaits(2, 5_000, 60_000), random: () => 0 };

export const pingKind = (send: Send): TargetKind<Host, Ping, OutboundResult> => ({
  log: { failed: 'ping failed', putOff: 'ping put off', lost: 'ping not recorded', broken: 'ping not settled' },
  destinations: hosts,
  messages: pings,
  limits: { claimMs: 30_000, slots: 1, ofTenant: 4, slowMs: 200 },
  async request({ signal }, { message }) {
    const result = await send({ method: 'POST', url: message.url, headers: {}, signal });
    return isCutOff(result, signal) ? undefined : result;
  },
  judge(result, { attempts }) {
    const outcome = result.kind === 'response' ? `http_${result.status}` : result.reason;
    if (outcome === 'http_200') return { outcome, state: 'sent' };
    if (outcome === 'http_429') return { outcome, state: 'waiting', isUncounted: true, pauseMs: 60_000 };
    return { outcome, ...retryOrFail(policy, attempts, outcome) };
  },
});

/** To each host one after the other. */
export async function addPings(tx: Tx, added: readonly { host: string; url: string }[]): Promise<void> {
  await wakeDestinations(tx, hosts, added);
  const sql = `
    INSERT INTO pings (tenant_id, id, host, url, due_at, created_at)
    SELECT $1, 'png_' || clock_timestamp(), p.*, app_now(), app_now() FROM unnest($2::text[], $3::text[]) AS p`;
  await tx.db.query(sql, [tx.tenantId, added.map(({ host }) => host), added.map(({ url }) => url)]);
}
