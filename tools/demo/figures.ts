import { setTimeout as sleep } from 'node:timers/promises';
import { performanceMetrics } from '@eas/contracts';
import type { Api } from './api.ts';

export type Figures = { total: number; completed: number; completedByRole: Record<string, number> };

/** For hangs alone: the service shows an event within 2 s, on a machine that is not busy. */
const patienceMs = 60_000;

export async function readFigures(api: Api, roles: readonly string[]): Promise<Figures> {
  const { tasks, agents } = await api.get('/v1/analytics/performance?period=year', performanceMetrics);
  const completed = roles.map((role) => [role, agents[role]?.tasks_completed ?? 0] as const);
  return { total: tasks.total, completed: tasks.completed, completedByRole: Object.fromEntries(completed) };
}

/** Reads until the figures have grown as expected, or patience ends. Gives what they grew by. */
export async function awaitGrowth(api: Api, before: Figures, expected: Figures): Promise<Figures> {
  const roles = Object.keys(expected.completedByRole);
  for (const endsAt = performance.now() + patienceMs; ; await sleep(50)) {
    const growth = difference(await readFigures(api, roles), before);
    if (isSame(growth, expected) || performance.now() > endsAt) return growth;
  }
}

export function isSame(a: Figures, b: Figures): boolean {
  const roles = Object.keys(b.completedByRole);
  return (
    a.total === b.total &&
    a.completed === b.completed &&
    roles.every((role) => a.completedByRole[role] === b.completedByRole[role])
  );
}

function difference(after: Figures, before: Figures): Figures {
  const byRole = Object.entries(after.completedByRole);
  return {
    total: after.total - before.total,
    completed: after.completed - before.completed,
    completedByRole: Object.fromEntries(
      byRole.map(([role, count]) => [role, count - (before.completedByRole[role] ?? 0)]),
    ),
  };
}
