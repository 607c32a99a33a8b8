import type { WorkflowDefinition } from '@eas/contracts';

/** The longest way through the steps that need each other, in milliseconds, when each takes `msOf(its id)`. */
export function criticalPathMs({ steps }: Pick<WorkflowDefinition, 'steps'>, msOf: (key: string) => number): number {
  const byKey = new Map(steps.map((step) => [step.id, step]));
  const ends = new Map<string, number>();
  const endOf = (key: string): number => {
    const known = ends.get(key);
    if (known !== undefined) return known;
    const end = latest((byKey.get(key)?.needs ?? []).map(endOf)) + msOf(key);
    ends.set(key, end);
    return end;
  };
  return latest(steps.map(({ id }) => endOf(id)));
}

const latest = (ends: number[]): number => Math.max(0, ...ends);
