export { getPerformance, getPerformanceRows } from './get-performance.ts';
export { recordFacts } from './facts/record-facts.ts';
export { getUsage, getUsageRows } from './get-usage.ts';
export { recordUsage } from './record-usage.ts';
export { getSeries } from './get-series.ts';
export { getDurationRows, getDurations } from './get-durations.ts';
// Public for operators and tests alone: where the two differ, the roll-ups are wrong.
export { type DayRollup, readRollups, recount } from './facts/recount.read-model.ts';
export { cancelRebuilds, countRebuilds, startRebuilds } from './recounts/recount.sweeper.ts';
export { nextOverdueAt, sweepOverdue } from './overdue/overdue.sweeper.ts';
export { recountSome } from './recounts/recount-some.ts';
export { exportTenantUsage, listMonthlyUsage, listTenantUsage } from './tenant-usage/list-usage.ts';
export { measureStorage } from './tenant-usage/measure-storage.ts';
export { closeTenantUsage } from './tenant-usage/measure-tenant.ts';
export { createUsageRounds } from './tenant-usage/usage-rounds.ts';
