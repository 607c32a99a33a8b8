import type { Clock, Logger, SecretBox } from '@eas/core';
import type { Database } from '@eas/db';
import {
  findByOwner,
  findByWebhookId,
  findOfAddress,
  findOfPlatform,
  findWithoutWebhookId,
} from './candidate.read-model.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import { saveSightings, type Sighting } from '@eas/integrations';
import { createSightings, type Sightings } from './sightings.ts';

/** What receiving needs. There is no tenant before a signature has verified. */
export type Receiver = {
  gather: Database['gather'];
  clock: Clock;
  sightings: Sightings;
  candidates: {
    byWebhookId: Candidates;
    withoutWebhookId: Candidates;
    ofPlatform: Candidates;
    byOwner: Candidates;
    ofAddress: Record<'taskplatform' | 'github', Candidates>;
  };
  /** Called with each receipt: how it ended, for metrics. */
  onReceipt?: (source: 'taskplatform' | 'sourcehost' | 'chat', outcome: ReceiptOutcome) => void;
  /** Called with the tenant of each verified body, and its bytes. */
  onSender?: (tenantId: string, bytes: number) => void;
};

export type ReceiptOutcome = 'stored' | 'repeated' | 'quarantined' | 'ignored';

/** A request to a receiver. Header names are lower case. */
export type InboundRequest = {
  raw: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  takesUnsigned: boolean;
  /** Of the address of its own that the body came to: this integration's secret alone is tried. */
  integrationId?: string;
};

/** What is known before the body has come. */
export type InboundHead = Omit<InboundRequest, 'raw'>;

export type ReceiverParts = {
  database: Pick<Database, 'db' | 'gather' | 'clock'>;
  secrets: SecretBox;
  logger: Logger;
  onReceipt?: Receiver['onReceipt'];
  onSender?: Receiver['onSender'];
};

/** Makes a receiver with its cache of opened secrets, for the life of the process. */
export function createReceiver({ database, secrets, logger, onReceipt, onSender }: ReceiverParts): Receiver {
  const { db, gather, clock } = database;
  const write = async (seen: readonly Sighting[]) => {
    for (const integrationId of await saveSightings(db, seen))
      logger.info({ integrationId }, 'silent integration received a webhook, active again');
  };
  type Find = typeof findByOwner;
  const candidatesOf = (find: Find) => createCandidates((keys) => find({ db }, keys), { secrets, clock, logger });
  return {
    gather,
    clock,
    sightings: createSightings(write, { clock, logger }),
    onReceipt,
    onSender,
    candidates: {
      byWebhookId: candidatesOf(findByWebhookId),
      withoutWebhookId: candidatesOf(findWithoutWebhookId),
      ofPlatform: candidatesOf(findOfPlatform),
      byOwner: candidatesOf(findByOwner),
      ofAddress: {
        taskplatform: candidatesOf(findOfAddress('taskplatform')),
        github: candidatesOf(findOfAddress('github')),
      },
    },
  };
}

/** The value of a header; undefined when it is absent or empty. The first one counts. */
export function headerOf({ headers }: Pick<InboundRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === '' ? undefined : first;
}
