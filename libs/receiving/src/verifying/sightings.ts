import { type Clock, createCollector, type Logger } from '@eas/core';
import type { Sighting } from '@eas/integrations';

type Sender = { tenantId: string; id: string };

/** Collects what is seen of integrations, off the path of their webhooks: a receipt pays no write for it. */
export type Sightings = {
  received(sender: Sender): void;
  /** A body came to the integration's own address that none of its secrets signed. */
  refused(sender: Sender): void;
  /** Writes what was collected. */
  close(): Promise<void>;
};

export function createSightings(
  write: (sightings: readonly Sighting[]) => Promise<void>,
  { clock, logger }: { clock: Clock; logger: Logger },
): Sightings {
  const onLost = (error: unknown) => logger.warn({ err: error }, 'health of integrations not written');
  const seen = createCollector<Sighting>({ write, onLost });
  const note = ({ tenantId, id }: Sender, change: Partial<Sighting>) =>
    seen.note(`${tenantId} ${id}`, (noted = { tenantId, id, receivedAt: null, error: null }) => ({
      ...noted,
      ...change,
    }));
  return {
    received: (sender) => note(sender, { receivedAt: clock.now() }),
    refused: (sender) => note(sender, { error: { at: clock.now(), reason: 'signature' } }),
    close: () => seen.close(),
  };
}
