import { readdirSync, readFileSync } from 'node:fs';
import type { Bench } from './bench.ts';

/** Linux counts processor time in hundredths of a second. */
const ticksMs = 10;

/** Proportional set size of a process and all below it in MB; 0 where /proc does not say. */
export function pssMegabytes(pid: number): number {
  const kilobytes = [pid, ...descendants(pid)].reduce((sum, one) => sum + pssKilobytes(one), 0);
  return Math.round(kilobytes / 1_024);
}

/** The same of a process without those below it. */
export const ownPssMegabytes = (pid: number): number => Math.round(pssKilobytes(pid) / 1_024);

function pssKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const descendants = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);

/** The processes that a process has started and that run; none where /proc does not say. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Processor time that a process has used so far, in ms; NaN where /proc does not say. */
export function processorMs(pid: number): number {
  return usedTicks(pid, [11, 12]) * ticksMs;
}

/** The same of a process and all below it, those that have ended included: of a Postgres with its connections. */
export function treeProcessorMs(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => sum + (usedTicks(one, [11, 12, 13, 14]) || 0), 0) * ticksMs;
}

/** The same of an app, Postgres and Redis; 0 for a store that the bench did not start. */
export const appAndStoresMs = ({ stores: { pids } }: Pick<Bench, 'stores'>, app: { pid: number }): number[] =>
  [app.pid, pids['postgres'], pids['redis']].map((pid) => (pid === undefined ? 0 : treeProcessorMs(pid)));

/** User and system time are the 12th and 13th field after the name, those of ended children the next two. */
function usedTicks(pid: number, fields: readonly number[]): number {
  try {
    // The name in brackets may hold spaces.
    const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.reduce((sum, field) => sum + Number(values[field]), 0);
  } catch {
    return NaN;
  }
}
