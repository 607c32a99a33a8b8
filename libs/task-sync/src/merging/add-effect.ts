import type { Effect } from './effects.ts';
import { commentKeyOf, objectText, pullRequestText, taskText } from './platform-keys.ts';
import type { PlatformState } from './platform-state.ts';
import { toObjectCopy } from '@eas/task-platform';
import { stageText } from '@eas/source-host';

/** A copy, to which effects are added, so that the next receipt is merged with those of the previous ones. */
export const copyState = (state: PlatformState) => ({
  ...state,
  links: new Map(state.links),
  objects: new Map(state.objects),
  pullRequests: new Map(state.pullRequests),
  newStages: new Set(state.newStages),
  published: new Set(state.published),
});

type StateCopy = ReturnType<typeof copyState>;

export function addEffect(state: StateCopy, effect: Effect): void {
  if (effect.kind === 'link') state.links.set(taskText(effect.link), effect.link);
  if (effect.kind === 'object') state.objects.set(objectText(effect.object), effect.object);
  if (effect.kind === 'pull request') state.pullRequests.set(pullRequestText(effect.pullRequest), effect.pullRequest);
  if (effect.kind === 'stage') state.newStages.delete(stageText(effect.stage));
  if (effect.kind === 'publish') state.published.add(stageText(effect.stage));
}

/** Adds the comments of a task that was changed. `entries`: the number that each change of a comment has got. */
export function addComments(
  state: StateCopy,
  { key, change: { taskId }, comments: { copies, changes } }: Effect<'task'>,
  entries: readonly number[],
): void {
  for (const { id, copy, change } of copies) {
    const entry = (change && entries[changes.indexOf(change)]) ?? copy.entry;
    const object = { ...toObjectCopy({ ...copy, taskId, entry }, key.externalId), ...commentKeyOf(key, id) };
    state.objects.set(objectText(object), object);
  }
}
