import type { EventData } from '@eas/contracts';
import type { NewEvent } from '@eas/db';
import type { PlatformChange } from '@eas/tasks';
import type { TaskKey } from './platform-keys.ts';
import type { NewCall } from '../calls/platform-call.ts';
import type { Applied } from '../inbound/inbound-event.ts';
import type { CommentPlan } from '../platform/comment-copy.ts';
import type { PlatformObject } from '../platform/platform-object.store.ts';
import type { TaskLink } from '../platform/task-link.ts';
import type { MovedBase } from '../source-host/own-pull-request.read-model.ts';
import type { StageKey } from '../source-host/pull-request.store.ts';
import type { PullRequest } from '../source-host/pull-request.ts';

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
