import { formatHours } from '@eas/core';

export type Rollup = {
  total: number;
  completed: number;
  inProgress: number;
  /** Sum of first claim → completion over the completed tasks that were claimed, and how many these are. */
  completionMs: number;
  completionCount: number;
  qualityTotal: number;
  qualityCount: number;
  clarityTotal: number;
  clarityCount: number;
};

const nothing: Rollup = {
  total: 0,
  completed: 0,
  inProgress: 0,
  completionMs: 0,
  completionCount: 0,
  qualityTotal: 0,
  qualityCount: 0,
  clarityTotal: 0,
  clarityCount: 0,
};

export function addRollups(rollups: readonly Rollup[]): Rollup {
  const sum = { ...nothing };
  for (const rollup of rollups) {
    for (const key of Object.keys(nothing) as (keyof Rollup)[]) sum[key] += rollup[key];
  }
  return sum;
}

/** Share of completed tasks to four decimals, 0 when there are none at all. */
export function completionRate({ completed, total }: Rollup): number {
  return total === 0 ? 0 : Math.round((completed / total) * 10_000) / 10_000;
}

export function averageCompletionTime({ completionMs, completionCount }: Rollup): string {
  return formatHours(completionCount === 0 ? 0 : Math.max(0, completionMs / completionCount));
}

/** Mean as an integer, 0 of nothing. */
export function meanScore(total: number, count: number): number {
  return count === 0 ? 0 : Math.round(total / count);
}
