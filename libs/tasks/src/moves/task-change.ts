import { append, type NewEvent, type Tx } from '@eas/db';
import {
  assertTransition,
  claimRank,
  isUnclaimed,
  type Task,
  taskFacts,
  type TaskStatus,
} from '../records/tasks/task.ts';
import { labelledOf, relabelTask } from '../records/tasks/task-label.store.ts';
import { updateTask } from '../records/tasks/task.store.ts';
import {
  type AmendedEntry,
  amendTimeline,
  insertTimeline,
  type NewTimelineEntry,
} from '../records/timeline/timeline.store.ts';
import { workKeyOf } from '../records/tasks/work-key.ts';

type TaskEvent = Extract<NewEvent, { type: `task.${string}` }>;
type EventDetails = { [T in TaskEvent['type']]: Omit<Extract<TaskEvent, { type: T }>['data'], 'task_id' | 'title'> };

/** One change of a locked task: fields, timeline entries and events are collected and written together by `save`. */
export type TaskChange = {
  readonly task: Task;
  /** Its time, and who makes it. */
  readonly at: Date;
  readonly actor: string;
  /** Adds a timeline entry and returns it. */
  addEntry(kind: NewTimelineEntry['kind'], data: Record<string, unknown>): NewTimelineEntry;
  /** Sets fields of an existing entry. */
  amendEntry(seq: number, data: Record<string, string>): void;
  /** What amendEntry was called with. */
  readonly amended: readonly AmendedEntry[];
  /** Moves the status, checked against the state machine, with its status_change entry. */
  move(to: TaskStatus, reason?: string): void;
  /** Publishes the change; `task_id`, `title` and the facts are filled in when it is saved. */
  emit<T extends TaskEvent['type']>(type: T, details: EventDetails[T]): void;
  /** Marks that its agent sends nothing but heartbeats: the only change that is not activity. */
  stall(): void;
  /**
   * Writes the row (version + 1), the entries and the events, and releases the task. Any activity ends a stall. Does
   * nothing once the change is settled: its caller has written it.
   */
  save(): void;
  /** As `save`, but the caller writes the row as it is then, and the entries that it gets. Labels stay as they are. */
  settle(): readonly NewTimelineEntry[];
  /** Ends a change that changes nothing. Wakes claims, which may have skipped the locked task. */
  release(): void;
};

/** Starts a change of a task that the transaction has locked. `at` is its time, `actor` who makes it. */
export function startChange(tx: Tx, task: Task, { at, actor }: { at: Date; actor: string }): TaskChange {
  const entries: NewTimelineEntry[] = [];
  const amended: AmendedEntry[] = [];
  const writtenAt = neverBefore(task, at);
  const events: [TaskEvent['type'], Record<string, unknown>][] = [];
  const before = labelledOf(task);
  const addEntry: TaskChange['addEntry'] = (kind, data) => {
    task.timelineSeq += 1;
    const entry = { taskId: task.id, seq: task.timelineSeq, kind, at: writtenAt, actor, data };
    entries.push(entry);
    return entry;
  };
  const release = () => {
    if (isUnclaimed(task) && !task.isHeld) tx.notify('work', workKeyOf(tx.tenantId, task, at));
  };
  let stalledAt: Date | null = null;
  let isSettled = false;
  const settle = () => {
    isSettled = true;
    task.stalledAt = stalledAt;
    task.version += 1;
    task.updatedAt = writtenAt;
    for (const [type, details] of events) appendTaskEvent(tx, task, type, details, at);
    release();
    return entries;
  };
  const emit: TaskChange['emit'] = (type, details) => void events.push([type, details]);
  return {
    task,
    at,
    actor,
    addEntry,
    amendEntry: (seq, data) => void amended.push({ taskId: task.id, seq, data }),
    amended,
    move(to, reason) {
      assertTransition(task.status, to);
      addEntry('status_change', { from: task.status, to, ...(reason === undefined ? {} : { reason }) });
      task.status = to;
    },
    emit,
    stall() {
      stalledAt = at;
      addEntry('edit', { changed: ['stalled'] });
      emit('task.updated', { from: task.status, to: task.status, changed: ['stalled'] });
    },
    save() {
      if (isSettled) return;
      settle();
      updateTask(tx, task, claimRank(task, at));
      relabelTask(tx, task.id, { before, now: task });
      insertTimeline(tx, entries);
      amendTimeline(tx, amended);
    },
    settle,
    release,
  };
}

/**
 * The recorded time of a change: a caller that waited for the task may have read the clock before its holder, and
 * clocks are set back. Times in a timeline never run backwards.
 */
export const neverBefore = ({ updatedAt }: Pick<Task, 'updatedAt'>, at: Date): Date =>
  updatedAt > at ? updatedAt : at;

const withoutFacts: ReadonlySet<string> = new Set(['task.assigned', 'task.commented', 'task.asked', 'task.answered']);

function appendTaskEvent(tx: Tx, task: Task, type: TaskEvent['type'], details: object, at: Date): void {
  const data = { task_id: task.id, title: task.title, ...details };
  append(tx, { type, at, data, facts: withoutFacts.has(type) ? null : taskFacts(task) } as TaskEvent);
}
