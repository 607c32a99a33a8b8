import type { PlatformTaskEvent } from '@eas/contracts';
import type { PlatformTask } from '../api/platform-task.ts';
import { readMillis } from './platform-value.ts';
import type { Mention } from './read-details.ts';
import { readReportedTask, type ReportedTask } from './task-change.ts';

/**
 * What a task says that was read from the platform's API: all of its fields as they were at its last change, so that a
 * webhook with a later date wins. undefined: it has no date.
 */
export async function readApiTask(task: PlatformTask): Promise<ReportedTask | undefined> {
  const at = readMillis(task.date_updated);
  if (at === undefined) return undefined;
  const reported = await readReportedTask(eventOf(task, at), new Date(at));
  const places: [Mention['kind'], PlatformTask['list']][] = [
    ['list', task.list],
    ['folder', task.folder],
    ['space', task.space],
  ];
  const mentions = places.flatMap(([kind, place]) =>
    place?.id && place.name && place.hidden !== true ? [{ kind, id: place.id, name: place.name, at }] : [],
  );
  return { ...reported, datedAt: at, mentions };
}

/** The same fields as a webhook has them, so that both are read in one way. */
function eventOf(task: PlatformTask, at: number): PlatformTaskEvent {
  const { list, folder, space, status, tags, assignees, start_date, time_estimate, time_spent } = task;
  const data = {
    name: task.name,
    description: descriptionOf(task),
    status,
    due_date: task.due_date,
    tags: tags ?? undefined,
    assignees: assignees ?? undefined,
    start_date,
    time_estimate,
    time_spent,
  };
  const priority = task.priority === undefined ? [] : [{ field: 'priority', after: task.priority, date: at }];
  return {
    event: 'taskUpdated',
    task_id: task.id,
    list_id: list?.id,
    folder_id: folder?.hidden === true ? undefined : folder?.id,
    space_id: space?.id,
    data,
    history_items: priority,
  } as PlatformTaskEvent;
}

/** A task without a text has null in both. */
function descriptionOf({ text_content: text, description }: PlatformTask): string | undefined {
  return text ?? description ?? (text === null || description === null ? '' : undefined);
}
