import type { Milestone } from '@eas/contracts';

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

/** Milestones after a report: known names are changed in place, new ones follow in the order given. */
export function mergeMilestones(known: readonly Milestone[], reported: readonly Milestone[]): Milestone[] {
  const merged = new Map(known.map((milestone) => [milestone.name, milestone]));
  for (const milestone of reported) merged.set(milestone.name, milestone);
  return [...merged.values()];
}
