import type { Metrics } from './metrics.ts';
import { serviceVersion } from './release.ts';

/** `commit`: what the running files were built from. */
export function showBuild(metrics: Metrics, commit: string): void {
  metrics.gauge('eas_build_info').set({ version: serviceVersion, commit }, 1);
}

/** Connections of a process to its database; `waiting` counts what waits for one. */
export type PoolState = { used: number; idle: number; max: number; waiting: number };

/** Registers the state of the pool, read at each scrape. */
export function watchPool(metrics: Metrics, pool: () => PoolState): void {
  metrics.gauge('eas_db_connections_max').set(pool().max);
  metrics.gauge('eas_db_waiting', (gauge) => gauge.set(pool().waiting));
  metrics.gauge('eas_db_connections', (gauge) => {
    const { used, idle } = pool();
    gauge.set({ state: 'used' }, used);
    gauge.set({ state: 'idle' }, idle);
  });
}
