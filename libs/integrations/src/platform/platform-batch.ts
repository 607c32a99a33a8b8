import type { PlatformStatusMeaning } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { WaitingReceipt } from '../inbound/inbound-event.store.ts';
import { readStatusMaps } from '../integration.read-model.ts';
import { statusMeaning, type TaskLink } from './task-link.ts';
import { lockTaskLinks } from './task-link.store.ts';

type Key = Pick<TaskLink, 'integrationRef' | 'externalId'>;

/** The links of the platform tasks that some receipts are about, locked, and changed in memory until they are saved. */
export type PlatformBatch = {
  linkOf(key: Key): TaskLink | undefined;
  setLink(link: TaskLink): void;
  changedLinks(): TaskLink[];
  meaningOf(integrationRef: string, word: string): PlatformStatusMeaning;
};

export async function openPlatformBatch(scope: DbScope, receipts: readonly WaitingReceipt[]): Promise<PlatformBatch> {
  const ofTasks = receipts.filter(({ source, event }) => source === 'taskplatform' && event.startsWith('task'));
  const keys = ofTasks.map(({ integrationRef, externalId }) => ({ integrationRef, externalId: externalId ?? '' }));
  const statusMaps = await readStatusMaps(scope, [...new Set(keys.map((key) => key.integrationRef))]);
  const links = new Map((await lockTaskLinks(scope, keys)).map((link) => [textOf(link), link]));
  const changed = new Set<string>();
  return {
    linkOf: (key) => links.get(textOf(key)),
    setLink(link) {
      links.set(textOf(link), link);
      changed.add(textOf(link));
    },
    changedLinks: () => [...changed].flatMap((text) => links.get(text) ?? []),
    meaningOf: (integrationRef, word) => statusMeaning(statusMaps.get(integrationRef) ?? {}, word),
  };
}

const textOf = ({ integrationRef, externalId }: Key) => `${integrationRef} ${externalId}`;
