import type { StoredEvent, TaskFacts } from '@eas/contracts';

export type TaskFactsOfTask = TaskFacts & { task_id: string };

/** Of each task the facts with the highest version, in the order of task ids. Events without task facts are skipped. */
export function newestFacts(events: readonly StoredEvent[]): TaskFactsOfTask[] {
  const newest = new Map<string, TaskFactsOfTask>();
  for (const facts of events.flatMap((event) => factsOf(event) ?? [])) {
    const known = newest.get(facts.task_id);
    if (!known || known.version < facts.version) newest.set(facts.task_id, facts);
  }
  return [...newest.values()].sort((a, b) => (a.task_id < b.task_id ? -1 : 1));
}

function factsOf(event: StoredEvent): TaskFactsOfTask | undefined {
  return event.facts ? { ...event.facts, task_id: event.data.task_id } : undefined;
}
