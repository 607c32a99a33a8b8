import { knownPlatformEvents, type PlatformEvent, type PlatformTaskEvent } from '@eas/contracts';
import { createPauses, type JsonObject } from '@eas/core';
import {
  platformKindOf,
  type PlaceKind,
  readPlatformEvent,
  readReportedObject,
  readReportedTask,
  type ReportedObject,
  type ReportedTask,
  tooManyChanges,
} from '@eas/task-platform';
import type { WaitingReceipt } from '@eas/receiving';
import { type InboundRules, isListed } from '@eas/integrations';
import { readSourceHostEvent, type ReportedPullRequest } from '@eas/source-host';

/** What a receipt says, read once; or why it is not applied. */
export type ReadReceipt = { receipt: WaitingReceipt } & (
  | { kind: 'task'; externalId: string; reported: ReportedTask }
  | { kind: 'object'; object: PlaceKind; externalId: string; reported: ReportedObject }
  | { kind: 'pull request'; reported: ReportedPullRequest }
  | { kind: 'refused'; status: 'failed' | 'quarantined' | 'ignored'; reason: string }
);

export type Read<K> = Extract<ReadReceipt, { kind: K }>;

/** Reads the stored body, whose depth and number of values the receiver has bounded; others have the event loop in between. */
export async function readReceipt(receipt: WaitingReceipt): Promise<ReadReceipt> {
  const { source, event, body: text, receivedAt } = receipt;
  const pause = createPauses();
  const body: unknown = JSON.parse(text);
  await pause();
  if (source === 'sourcehost') return readOfSourceHost(receipt, body);
  const tooMuch = tooManyChanges(body as PlatformEvent);
  if (tooMuch !== undefined) return { receipt, kind: 'refused', status: 'failed', reason: tooMuch };
  const kind = platformKindOf(event);
  if (kind === undefined || !knownPlatformEvents.has(event)) return unknownEvent(receipt);
  // Not stored with a receipt whose event was not known when it came.
  const externalId = receipt.externalId ?? readPlatformEvent(body as JsonObject).externalId ?? '';
  if (kind === 'task')
    return {
      receipt,
      kind,
      externalId,
      reported: await readReportedTask(body as PlatformTaskEvent, receivedAt),
    };
  return {
    receipt,
    kind: 'object',
    object: kind,
    externalId,
    reported: readReportedObject(body as PlatformEvent, receivedAt),
  };
}

function readOfSourceHost(receipt: WaitingReceipt, body: unknown): ReadReceipt {
  const read = readSourceHostEvent(receipt.event, body, receipt.receivedAt);
  if (!read) return unknownEvent(receipt);
  if (read.kind === 'pull request') return { receipt, ...read };
  const { externalId, reported } = read;
  return { receipt, kind: 'task', externalId, reported };
}

const unknownEvent = (receipt: WaitingReceipt): ReadReceipt => ({
  receipt,
  kind: 'refused',
  status: 'quarantined',
  reason: `unknown_event: ${receipt.event} is not known`,
});

/** A receipt of a repository that its integration does not list is not applied. */
export function refuseOthers(read: ReadReceipt, { repositories }: InboundRules): ReadReceipt {
  const repository = repositoryOf(read)?.toLowerCase();
  if (repository === undefined || isListed(repositories, repository)) return read;
  const reason = `repository: ${repository} is not one of the integration`;
  return { receipt: read.receipt, kind: 'refused', status: 'ignored', reason };
}

function repositoryOf(read: ReadReceipt): string | undefined {
  if (read.kind === 'pull request') return read.reported.repository;
  return read.kind === 'task' ? read.reported.metadata?.['repository'] : undefined;
}
