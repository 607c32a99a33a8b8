import type { Db } from '@eas/db';
import { readTableSizes } from '@eas/db/admin';
import type { Bench } from '../harness/bench.ts';
import { treeProcessorMs } from '../harness/memory.ts';

export const parts = [
  'api-gateway',
  'webhook-receiver',
  'workflow-orchestrator',
  'webhook-dispatcher',
  'analytics-aggregator',
  'postgres',
  'redis',
] as const;
/** What is kept for the same time. */
export const storedKinds = ['rows', 'events', 'deliveries'] as const;

/** Processor ms, bytes of WAL, and bytes that Postgres keeps, with indexes. */
type UnitCost = {
  ms: Record<(typeof parts)[number], number>;
  walBytes: number;
  bytes: Record<(typeof storedKinds)[number], number>;
};

/** What a time took, or a unit of work. */
export type Spent = UnitCost & { seconds: number };

const walSql = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`;

async function readBytes(db: Db): Promise<Pick<UnitCost, 'walBytes' | 'bytes'>> {
  const [wal] = await db.query<{ bytes: number }>(walSql);
  const bytes = { rows: 0, events: 0, deliveries: 0 };
  for (const { kind, bytes: size } of await readTableSizes(db))
    bytes[kind === 'events' || kind === 'deliveries' ? kind : 'rows'] += size;
  return { walBytes: wal?.bytes ?? NaN, bytes };
}

function readMs({ apps, stores }: Bench): UnitCost['ms'] {
  const pids = new Map<string, number>([
    ...apps.running().map(({ name, pid }) => [name, pid] as const),
    ...Object.entries(stores.pids),
  ]);
  const used = (part: (typeof parts)[number]) => {
    const pid = pids.get(part);
    return pid === undefined ? 0 : treeProcessorMs(pid);
  };
  return Object.fromEntries(parts.map((part) => [part, used(part)])) as UnitCost['ms'];
}

/** What all apps and stores spend while `work` runs. */
export async function spentBy(bench: Bench, work: () => Promise<unknown>): Promise<Spent> {
  const { db } = bench.stores.database;
  const read = async () => ({ ...(await readBytes(db)), ms: readMs(bench) });
  const [before, startedAt] = [await read(), performance.now()];
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return minus({ ...(await read()), seconds }, before, 1);
}

/** Without so many times the other. */
export function minus(all: Spent, other: UnitCost, times: number): Spent {
  return { ...combine(all, other, (one, two) => one - times * two), seconds: all.seconds };
}

/** Of each of so many units. */
export const costOf = (all: Spent, units: number): Spent => ({
  ...combine(all, all, (one) => one / units),
  seconds: all.seconds / units,
});

function combine(one: UnitCost, two: UnitCost, of: (one: number, two: number) => number): UnitCost {
  const each = <K extends string>(keys: readonly K[], a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>) =>
    Object.fromEntries(keys.map((key) => [key, of(a[key], b[key])])) as Record<K, number>;
  return {
    ms: each(parts, one.ms, two.ms),
    walBytes: of(one.walBytes, two.walBytes),
    bytes: each(storedKinds, one.bytes, two.bytes),
  };
}
