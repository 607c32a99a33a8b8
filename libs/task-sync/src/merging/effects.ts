import type { EventData } from '@eas/contracts';
import type { NewEvent } from '@eas/db';
import type { PlatformChange } from '@eas/tasks';
import type { TaskKey } from './platform-keys.ts';
import type { NewCall } from '@eas/platform-calls';
import type { Applied } from '@eas/receiving';
import type { CommentPlan, PlatformObject, TaskLink } from '@eas/task-platform';
import type { MovedBase, PullRequest, StageKey } from '@eas/source-host';

type AnyEffect =
  /** A change of our task, with the copies of its comments: a new one gets its entry when the task is changed. */
  | { kind: 'task'; key: TaskKey; change: PlatformChange; comments: CommentPlan }
  | { kind: 'link'; link: TaskLink }
  | { kind: 'object'; object: PlatformObject }
  | { kind: 'pull request'; pullRequest: PullRequest }
  /** A new stage of a pull request was merged. */
  | { kind: 'stage'; stage: StageKey }
  | { kind: 'publish'; stage: StageKey; event: NewEvent }
  /** A person's comment that may be an answer. */
  | { kind: 'reply'; reply: EventData<'platform.replied'> }
  | { kind: 'call'; call: NewCall }
  /** What is not known of a new task is to be read from the platform, if its API can be called. */
  | { kind: 'read task'; key: TaskKey }
  /** What agents reviewed of a task is to be said in its pull requests. */
  | { kind: 'post reviews'; taskId: string }
  /** Something was merged into a branch: its other pull requests may have conflicts now. */
  | { kind: 'base moved'; base: MovedBase };

/** One thing that a receipt leads to. */
export type Effect<K extends AnyEffect['kind'] = AnyEffect['kind']> = Extract<AnyEffect, { kind: K }>;

/** What a receipt leads to. `applied`: its result, by the names of what changed of the task. */
export type Merged = { effects: Effect[]; applied(changed: readonly string[]): Applied };

export const applied = (effects: Effect[], outcome: string): Merged => ({
  effects,
  applied: () => ({ status: 'applied', outcome }),
});

export const ignored = (effects: Effect[], outcome: string): Merged => ({
  effects,
  applied: () => ({ status: 'ignored', outcome }),
});
