import { append, type Tx, type UseCaseContext } from '@eas/db';
import { platformChanges, type PlatformChanges, readNewestReviews } from '@eas/tasks';
import { addComments, addEffect, copyState } from '../merging/add-effect.ts';
import type { Effect } from '../merging/effects.ts';
import type { TaskKey } from '../merging/platform-keys.ts';
import { isCallable, linkOf, type PlatformState, settingsOf } from '../merging/platform-state.ts';
import { readPlatformState } from './read-platform-state.ts';
import type { ReadReceipt } from '../merging/read-receipt.ts';
import { askWhetherMergeable, wantCalls } from '@eas/platform-calls';
import type { InboundRules } from '@eas/integrations';
import { savePlatformObjects, saveTaskLinks } from '@eas/task-platform';
import { readOwnInto, reviewCallsOf, savePullRequests } from '@eas/source-host';

/** Writes what receipts lead to. */
export type PlatformWriter = {
  /** What was read, with the effects that were written since. */
  readonly state: PlatformState;
  /** Locks tasks that are to be changed. */
  lock: PlatformChanges['lock'];
  /** Changes tasks at once, by the actor of `ctx`. Returns the names of what changed of them. */
  write(ctx: UseCaseContext, effects: readonly Effect[]): Promise<string[]>;
  /** Writes the difference to what was read, in few statements. */
  save(): Promise<void>;
};

export async function openPlatformWriter(
  tx: Tx,
  receipts: readonly ReadReceipt[],
  rules: ReadonlyMap<string, InboundRules>,
): Promise<PlatformWriter> {
  const tasks = platformChanges(tx);
  const before = await readPlatformState(tx, tasks, receipts, rules);
  const state = copyState(before);
  const written: Effect[] = [];
  return {
    state,
    lock: tasks.lock,
    async write(ctx, effects) {
      const changed: string[] = [];
      for (const effect of effects) {
        addEffect(state, effect);
        if (effect.kind === 'task') {
          const done = await tasks.apply(ctx, effect.change);
          addComments(state, effect, done.comments);
          changed.push(...done.changed);
        }
        if (effect.kind === 'publish') append(tx, effect.event);
        if (effect.kind === 'reply') append(tx, replyEvent(effect, ctx.clock.now()));
      }
      written.push(...effects);
      return changed;
    },
    async save() {
      tasks.save();
      await saveDifference(tx, before, state, written);
      await saveCalls(tx, state, written);
    },
  };
}

const replyEvent = ({ reply }: Effect<'reply'>, at: Date) =>
  ({ type: 'platform.replied', at, data: reply, facts: null }) as const;

async function saveDifference(tx: Tx, before: PlatformState, state: PlatformState, written: readonly Effect[]) {
  const published = ofKind(written, 'publish').map(({ stage }) => stage);
  await savePullRequests(tx, changedIn(before.pullRequests, state.pullRequests), published);
  await saveTaskLinks(tx, changedIn(before.links, state.links));
  await savePlatformObjects(tx, changedIn(before.objects, state.objects));
}

async function saveCalls(tx: Tx, state: PlatformState, written: readonly Effect[]): Promise<void> {
  const isUnread = (key: TaskKey) => isCallable(state, key) && !isWhole(state, key);
  const unread = ofKind(written, 'read task').filter(({ key }) => isUnread(key));
  const reviewed = ofKind(written, 'post reviews').map(({ taskId }) => taskId);
  const isHost = (id: string) => settingsOf(state, id).isCallable;
  const reviews = await reviewCallsOf(tx, await readNewestReviews(tx, reviewed), isHost);
  const calls = ofKind(written, 'call').map(({ call }) => call);
  await wantCalls(tx, [...unread.map(({ key }) => readCallOf(key)), ...calls, ...reviews]);
  const moved = ofKind(written, 'base moved').map(({ base }) => base);
  await askWhetherMergeable(tx, await readOwnInto(tx, moved));
}

const ofKind = <K extends Effect['kind']>(effects: readonly Effect[], kind: K): Effect<K>[] =>
  effects.filter((effect): effect is Effect<K> => effect.kind === kind);

const changedIn = <V>(before: ReadonlyMap<string, V>, after: ReadonlyMap<string, V>): V[] =>
  [...after].flatMap(([key, value]) => (before.get(key) === value ? [] : [value]));

function isWhole(state: PlatformState, key: TaskKey): boolean {
  const dates = linkOf(state, key)?.fieldDates;
  return dates?.['title'] !== undefined && dates['description'] !== undefined;
}

const readCallOf = ({ integrationRef: integrationId, externalId }: TaskKey) =>
  ({ integrationId, kind: 'task', externalId, key: '', payload: {} }) as const;
