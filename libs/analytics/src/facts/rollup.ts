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

/** In the order in which SQL adds them up. */
export const rollupFields = Object.keys(nothing) as (keyof Rollup)[];

export function addRollups(rollups: readonly Rollup[]): Rollup {
  const sum = { ...nothing };
  for (const rollup of rollups) {
    for (const key of rollupFields) sum[key] += rollup[key];
  }
  return sum;
}

/** Share of completed tasks to four decimals, 0 when there are none at all. */
export function completionRate({ completed, total }: Rollup): number {
  return total === 0 ? 0 : Math.round((completed / total) * 10_000) / 10_000;
}

/** Null when no completed task was claimed. */
export function averageCompletionMs({ completionMs, completionCount }: Rollup): number | null {
  return completionCount === 0 ? null : Math.max(0, completionMs / completionCount);
}

/** Mean as an integer, null of nothing. */
export function meanScore(total: number, count: number): number | null {
  return count === 0 ? null : Math.round(total / count);
}
