import {
  maxUsageGroups,
  maxUsageRows,
  type UsageQuery,
  type UsageReport,
  type UsageRow,
  type UsageSums,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { intervalsOf } from './intervals.ts';
import { type KeptSums, readUsageGroups, readUsageRows, readUsageSeries } from './usage.read-model.ts';
import { usageSums } from './usage.store.ts';

/**
 * What agents used models for in each hour or day (UTC) of a range, and by group, from the roll-ups. Throws
 * invalid_request for a range that is too long or ends before it begins.
 */
export async function getUsage(
  ctx: UseCaseContext,
  { group_by: dimension, key, interval, from, to = ctx.clock.now() }: UsageQuery,
): Promise<UsageReport> {
  const { first, last, starts } = intervalsOf({ interval, from, to });
  const range = { interval, first, last };
  const part = key === undefined ? ({ dimension: 'all', key: '' } as const) : { dimension, key };
  const [series, groups] = await Promise.all([
    readUsageSeries(ctx, { ...range, ...part }),
    readUsageGroups(ctx, { ...range, dimension, key, limit: maxUsageGroups }),
  ]);
  const byStart = new Map(series.map((one) => [one.at.getTime(), one]));
  return {
    group_by: dimension,
    interval,
    total: shown(addUp(series)),
    groups: groups.map((group) => ({ key: group.key, ...shown(group) })),
    points: starts.map((at) => ({ at: formatTimestamp(new Date(at)), ...shown(byStart.get(at) ?? addUp([])) })),
  };
}

/**
 * Each group in each hour or day in which it had calls, in the order of time and group. Throws invalid_request for a range
 * that is too long, ends before it begins, or has too many of them.
 */
export async function getUsageRows(
  ctx: UseCaseContext,
  { group_by: dimension, key, interval, from, to = ctx.clock.now() }: UsageQuery,
): Promise<UsageRow[]> {
  const { first, last } = intervalsOf({ interval, from, to });
  const rows = await readUsageRows(ctx, { interval, first, last, dimension, key, limit: maxUsageRows + 1 });
  if (rows.length > maxUsageRows) {
    const message = `has more than ${maxUsageRows} rows until to: ask for a shorter range, for days, or for one key`;
    throw new AppError('invalid_request', { violations: [{ field: 'from', constraint: 'max', message }] });
  }
  return rows.map((row) => ({ at: formatTimestamp(row.at), key: row.key, ...shown(row) }));
}

function addUp(all: readonly KeptSums[]): KeptSums {
  const entries = usageSums.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)]);
  return Object.fromEntries(entries) as KeptSums;
}

/** Sums never stay below zero: what is corrected was added before, but maybe in another interval. */
function shown(kept: KeptSums): UsageSums {
  const { cost, ...counts } = Object.fromEntries(usageSums.map((name) => [name, Math.max(0, kept[name])])) as KeptSums;
  return { ...counts, cost_usd: cost / 1e6 };
}
