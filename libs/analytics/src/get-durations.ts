import {
  type DurationFigures,
  type DurationGrouping,
  type DurationQuery,
  type DurationReport,
  durationRow,
  maxDurationDays,
  maxDurationGroups,
} from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { addBuckets, distributionOf } from './distribution.ts';
import { type DurationRange, type Durations, readDurationDays, readDurationGroups } from './durations.read-model.ts';
import { intervalsOf } from './intervals.ts';

const allOf: Readonly<Record<DurationGrouping, DurationRange['dimension']>> = {
  role: 'tasks',
  agent: 'tasks',
  step: 'steps',
};

/**
 * How long tasks or steps took that were completed on the days (UTC) of a range, from the roll-ups. Throws
 * invalid_request for a range that is too long or ends before it begins.
 */
export async function getDurations(
  ctx: UseCaseContext,
  { group_by: grouping, key, from, to = ctx.clock.now() }: DurationQuery,
): Promise<DurationReport> {
  const { first, last, starts } = intervalsOf({ interval: 'day', from, to, maxPoints: maxDurationDays });
  const range = { dimension: grouping, key, first, last };
  const [days, groups] = await Promise.all([
    readDurationDays(ctx, key === undefined ? { ...range, dimension: allOf[grouping] } : range),
    readDurationGroups(ctx, range, maxDurationGroups),
  ]);
  const byStart = new Map(days.map((day) => [day.at.getTime(), day]));
  return {
    group_by: grouping,
    total: figuresOf(addUp(days)),
    groups: groups.map((group) => ({ key: group.key, ...figuresOf(group) })),
    points: starts.map((at) => ({ at: formatTimestamp(new Date(at)), ...figuresOf(byStart.get(at) ?? addUp([])) })),
  };
}

/** The same as a table: first a row of the total, then one of each group. */
export async function getDurationRows(ctx: UseCaseContext, query: DurationQuery) {
  const { total, groups } = await getDurations(ctx, query);
  return [durationRow('', total), ...groups.map(({ key, ...figures }) => durationRow(key, figures))];
}

function figuresOf(durations: Durations): DurationFigures {
  return {
    completed: durations.completed,
    reworked: durations.reworked,
    rework_rounds: durations.reworkRounds,
    cycle_time: distributionOf(durations.cycle, durations.cycleMs),
    waiting_time: distributionOf(durations.waiting, durations.waitingMs),
  };
}

function addUp(all: readonly Durations[]): Durations {
  const sumOf = (of: (one: Durations) => number) => all.reduce((sum, one) => sum + of(one), 0);
  return {
    completed: sumOf(({ completed }) => completed),
    reworked: sumOf(({ reworked }) => reworked),
    reworkRounds: sumOf(({ reworkRounds }) => reworkRounds),
    cycleMs: sumOf(({ cycleMs }) => cycleMs),
    waitingMs: sumOf(({ waitingMs }) => waitingMs),
    cycle: addBuckets(all.map(({ cycle }) => cycle)),
    waiting: addBuckets(all.map(({ waiting }) => waiting)),
  };
}
