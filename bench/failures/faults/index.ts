import type { Fault } from './fault.ts';
import { fullQueueDisk } from './postgres-disk.ts';
import { noConnections, postgresRestart, postmasterKilled } from './postgres.ts';
import { tableLocked } from './table-lock.ts';
import { clockJump, halfOpen, kills, nothing } from './processes.ts';
import { flushAll, fullDisk, redisPaused, redisRestart } from './redis.ts';

export const faults: readonly Fault[] = [
  kills,
  redisRestart,
  flushAll,
  redisPaused,
  fullDisk,
  fullQueueDisk,
  postgresRestart,
  postmasterKilled,
  noConnections,
  tableLocked,
  clockJump,
  halfOpen,
  nothing,
];
