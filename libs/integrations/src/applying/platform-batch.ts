import type { PlatformStatusMeaning } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { ReadReceipt } from './read-receipt.ts';
import { readStatusMaps } from '../integrations/integration.read-model.ts';
import type { ObjectCopy } from '../platform/platform-object.ts';
import {
  type ObjectKey,
  type PlatformObject,
  readPlatformObjects,
  savePlatformObjects,
} from '../platform/platform-object.store.ts';
import { statusMeaning, type TaskLink } from '../platform/task-link.ts';
import { lockPlatformThings, readTaskLinks, saveTaskLinks } from '../platform/task-link.store.ts';

type TaskKey = Pick<TaskLink, 'integrationRef' | 'externalId'>;

/** What is known of the platform's things that some receipts are about: locked, and changed in memory until it is saved. */
export type PlatformBatch = {
  linkOf(key: TaskKey): TaskLink | undefined;
  setLink(link: TaskLink): void;
  /** When a task that we never knew was deleted, in Unix milliseconds. */
  tombstoneOf(key: TaskKey): number | undefined;
  setTombstone(key: TaskKey, deletedAt: number): void;
  objectOf(key: ObjectKey): ObjectCopy | undefined;
  setObject(key: ObjectKey, copy: ObjectCopy): void;
  meaningOf(integrationRef: string, word: string): PlatformStatusMeaning;
  save(): Promise<void>;
};

export async function openPlatformBatch(scope: DbScope, receipts: readonly ReadReceipt[]): Promise<PlatformBatch> {
  const tasks = receipts.flatMap((read) => (read.kind === 'task' ? [taskKeyOf(read)] : []));
  const objects = receipts.flatMap((read) => (read.kind === 'object' ? [objectKeyOf(read)] : []));
  const locked = objects.map(({ integrationRef, kind, externalId }) => ({
    integrationRef,
    externalId: `${kind} ${externalId}`,
  }));
  await lockPlatformThings(scope, [...tasks, ...locked]);
  const statusMaps = await readStatusMaps(scope, [...new Set(tasks.map((key) => key.integrationRef))]);
  const links = changes((await readTaskLinks(scope, tasks)).map((link) => [textOf(link), link]));
  const kept = await readPlatformObjects(scope, [...objects, ...tasks.map(tombstoneKey)]);
  const copies = changes<PlatformObject>(kept.map((object) => [objectText(object), object]));
  const setObject = (key: ObjectKey, copy: ObjectCopy) => copies.set(objectText(key), { ...copy, ...key });
  return {
    linkOf: (key) => links.get(textOf(key)),
    setLink: (link) => links.set(textOf(link), link),
    tombstoneOf: (key) => copies.get(objectText(tombstoneKey(key)))?.updatedAt.getTime(),
    setTombstone: (key, deletedAt) =>
      setObject(tombstoneKey(key), { data: { is_deleted: true }, fieldDates: {}, updatedAt: new Date(deletedAt) }),
    objectOf: (key) => copies.get(objectText(key)),
    setObject,
    meaningOf: (integrationRef, word) => statusMeaning(statusMaps.get(integrationRef) ?? {}, word),
    async save() {
      await saveTaskLinks(scope, links.changed());
      await savePlatformObjects(scope, copies.changed());
    },
  };
}

/** A map that knows which of its entries were set since it was made. */
function changes<V>(entries: [string, V][]) {
  const all = new Map(entries);
  const changed = new Map<string, V>();
  return {
    get: (key: string) => all.get(key),
    set(key: string, value: V) {
      all.set(key, value);
      changed.set(key, value);
    },
    changed: () => [...changed.values()],
  };
}

type Read<K> = Extract<ReadReceipt, { kind: K }>;

export function taskKeyOf({ receipt: { integrationRef }, externalId }: Read<'task'>): TaskKey {
  return { integrationRef, externalId };
}

export function objectKeyOf({ receipt: { integrationRef }, object, externalId }: Read<'object'>): ObjectKey {
  return { integrationRef, kind: object, externalId };
}

/** Kept beside the copies of other things. */
const tombstoneKey = ({ integrationRef, externalId }: TaskKey): ObjectKey => ({
  integrationRef,
  kind: 'task',
  externalId,
});

const textOf = ({ integrationRef, externalId }: TaskKey) => `${integrationRef} ${externalId}`;
const objectText = ({ integrationRef, kind, externalId }: ObjectKey) => `${integrationRef} ${kind} ${externalId}`;
