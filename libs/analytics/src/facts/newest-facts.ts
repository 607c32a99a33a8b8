import type { StoredEvent, TaskFacts } from '@eas/contracts';

export type TaskFactsOfTask = TaskFacts & { task_id: string };

/** Of each task the facts with the highest version, in the order of task ids. Events without task facts are skipped. */
export const newestFacts = (events: readonly StoredEvent[]): TaskFactsOfTask[] =>
  newestOf(events.flatMap((event) => factsOf(event) ?? []));

export function newestOf<F extends TaskFactsOfTask>(all: readonly F[]): F[] {
  const newest = new Map<string, F>();
  for (const facts of all) {
    const known = newest.get(facts.task_id);
    if (!known || known.version < facts.version) newest.set(facts.task_id, facts);
  }
  return [...newest.values()].sort((a, b) => (a.task_id < b.task_id ? -1 : 1));
}

function factsOf(event: StoredEvent): TaskFactsOfTask | undefined {
  return event.facts ? { ...event.facts, task_id: event.data.task_id } : undefined;
}
