import type { Milestone } from '@eas/contracts';
import { formatHours } from '@eas/core';

/** The agent's own number, else the share of completed milestones, else 0; 100 when completed. */
export function percentComplete(task: {
  status: string;
  percentComplete: number | null;
  milestones: readonly Milestone[];
}): number {
  if (task.status === 'completed') return 100;
  if (task.percentComplete !== null) return task.percentComplete;
  if (task.milestones.length === 0) return 0;
  const completed = task.milestones.filter((milestone) => milestone.completed).length;
  return Math.floor((100 * completed) / task.milestones.length);
}

/** The agent's own estimate, else the median of the role less the time since the first claim, else null. */
export function estimateRemaining(
  task: { status: string; estimateRemaining: string | null; medianMs: number | null; firstClaimedAt: Date | null },
  now: Date,
): string | null {
  if (task.status === 'completed') return formatHours(0);
  if (task.estimateRemaining !== null) return task.estimateRemaining;
  if (task.medianMs === null) return null;
  const spentMs = task.firstClaimedAt === null ? 0 : Math.max(0, now.getTime() - task.firstClaimedAt.getTime());
  return formatHours(Math.max(0, task.medianMs - spentMs));
}

/** Milestones after a report: known names are changed in place, new ones follow in the order given. */
export function mergeMilestones(known: readonly Milestone[], reported: readonly Milestone[]): Milestone[] {
  const merged = new Map(known.map((milestone) => [milestone.name, milestone]));
  for (const milestone of reported) merged.set(milestone.name, milestone);
  return [...merged.values()];
}
