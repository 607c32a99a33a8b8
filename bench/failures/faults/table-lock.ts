import { setTimeout as sleep } from 'node:timers/promises';
import { makeTenantKeys } from '../../abuse/tenant-keys.ts';
import { backends } from '../../harness/options.ts';
import { quantile } from '../../harness/report.ts';
import { type Finding, finding } from '../audit/finding.ts';
import { poolSize } from '../system/pool-size.ts';
import type { System } from '../system/system.ts';
import type { Fault } from './fault.ts';
import { connect } from './postgres.ts';

/** Each tenant reads its tasks in a loop and cannot get them. */
const tenantCount = 25;
const readMs = 100;
/** 2 s for a connection and 2 s for the lock. */
const maxReadMs = 4_500;
/** Until then all connections may wait for the lock: none has given up yet. */
const firstWaitMs = 2_500;
const leastSeconds = 7;

const backendsSql = `
  SELECT application_name AS app, count(*)::int AS n FROM pg_stat_activity WHERE application_name = ANY ($1) GROUP BY 1`;

/** VACUUM FULL, an ALTER TABLE by hand and a migration lock a table like this. */
export const tableLocked: Fault = {
  name: 'a table is locked',
  backends,
  maxSeconds: 60,
  async strike(system, seconds) {
    const { bench, processes } = system;
    const number = Date.now();
    const tenants = Array.from({ length: tenantCount }, (_, tenant) => `locked-${number}-${tenant}`);
    const keys: string[] = [];
    for (const slug of tenants) keys.push(...(await makeTenantKeys(bench, slug, 1)).keys);
    const over = new AbortController();
    const [wellBehavedKey = '', ...others] = keys;
    const locker = await connect(bench.stores.databaseUrl);
    const watcher = await connect(bench.stores.databaseUrl);
    await locker.query('BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
    try {
      const pressure = others.map((key) => readOn(system, ['/v1/tasks?limit=20'], key, over.signal));
      const wellBehaved = readOn(system, ['/v1/agents?limit=20', '/v1/tasks?limit=20'], wellBehavedKey, over.signal);
      const ready = readOn(system, ['/readyz'], undefined, over.signal);
      const names = [...new Set(processes.map(({ name }) => name))];
      const most = new Map<string, number>();
      for (
        const endsAt = Date.now() + Math.max(seconds, leastSeconds) * 1_000;
        Date.now() < endsAt;
        await sleep(readMs)
      ) {
        const { rows } = await watcher.query<{ app: string; n: number }>(backendsSql, [names]);
        for (const { app, n } of rows) most.set(app, Math.max(n, most.get(app) ?? 0));
      }
      over.abort();
      await Promise.all(pressure);
      return findingsOf(await wellBehaved, await ready, most, processes);
    } finally {
      over.abort();
      await Promise.all([locker.end(), watcher.end()]);
    }
  },
};

/** `afterMs`: when it began, since the first. */
type Read = { status: number; tookMs: number; afterMs: number };

/** Reads the paths by turns, on the gateways by turns, until it is over. */
async function readOn({ urlsOf }: System, paths: string[], apiKey: string | undefined, over: AbortSignal) {
  const reads: Read[] = [];
  const firstAt = performance.now();
  const urls = urlsOf('api-gateway');
  for (let turn = 0; !over.aborted; turn += 1) {
    const startedAt = performance.now();
    const url = `${urls[turn % urls.length]}${paths[Math.floor(turn / urls.length) % paths.length]}`;
    const response = await fetch(url, { headers: apiKey === undefined ? {} : { 'x-api-key': apiKey } });
    await response.arrayBuffer();
    reads.push({ status: response.status, tookMs: performance.now() - startedAt, afterMs: startedAt - firstAt });
    await sleep(readMs);
  }
  return reads;
}

function findingsOf(
  wellBehaved: Read[],
  ready: Read[],
  most: ReadonlyMap<string, number>,
  processes: System['processes'],
): Finding[] {
  const p99 = quantile(
    wellBehaved.map(({ tookMs }) => tookMs),
    0.99,
  );
  const unready = ready.filter(({ status }) => status !== 200).map(({ status }) => `/readyz: ${status}`);
  const later = wellBehaved.filter(({ afterMs }) => afterMs > firstWaitMs);
  const served = later.filter(({ status }) => status === 200).length;
  const allowed = (app: string) => processes.filter(({ name }) => name === app).length * poolSize;
  const beyond = [...most].filter(([app, n]) => n > allowed(app)).map(([app, n]) => `${app}: ${n} of ${allowed(app)}`);
  return [
    finding('processes stay ready while a table is locked', ready.length, unready),
    finding(
      `reads of a tenant have a response within ${maxReadMs} ms (p99) while a table is locked: ${Math.round(p99)} ms`,
      wellBehaved.length,
      p99 <= maxReadMs ? [] : [`${Math.round(p99)} ms`],
    ),
    // Every second read needs another table. Of these some find no connection: 58 to 80 % were served on two cores.
    finding(
      'a tenant gets what does not need the locked table',
      Math.floor(later.length / 2),
      served >= later.length * 0.25 ? [] : [`${served} of ${later.length}`],
    ),
    finding('connections to Postgres stay within the pools while a table is locked', most.size, beyond),
  ];
}
