import { applied, type Effect, ignored, type Merged } from './effects.ts';
import { objectKeyOf, objectText } from './platform-keys.ts';
import { objectOf, type PlatformState } from './platform-state.ts';
import type { Read } from './read-receipt.ts';
import { mergeObject, type ObjectOf, type PlaceKind } from '@eas/task-platform';

export function mergeObjectReceipt(state: PlatformState, read: Read<'object'>): Merged {
  const key = objectKeyOf(read);
  const { copy, isChanged, tooLarge } = mergeObject(objectOf(state, key), read.reported);
  if (tooLarge !== undefined) return { effects: [], applied: () => ({ status: 'failed', outcome: tooLarge }) };
  const effects: Effect[] = [{ kind: 'object', object: { ...copy, ...key } }];
  return isChanged ? applied(effects, 'copy updated') : ignored(effects, 'nothing newer than the stored state');
}

/** The names of lists, folders and spaces that the event of a task includes. */
export function mergeMentions(state: PlatformState, { receipt, reported }: Read<'task'>): Effect[] {
  const objects = new Map<string, ObjectOf<PlaceKind>>();
  for (const { kind, id, name, at } of reported.mentions) {
    const key = { integrationRef: receipt.integrationRef, kind, externalId: id };
    const known = objects.get(objectText(key)) ?? objectOf(state, key);
    const { copy, tooLarge } = mergeObject(known, [{ name: 'name', value: name, at }]);
    if (tooLarge === undefined) objects.set(objectText(key), { ...copy, ...key });
  }
  return [...objects.values()].map((object) => ({ kind: 'object', object }));
}
