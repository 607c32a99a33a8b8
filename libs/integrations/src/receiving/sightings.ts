import type { Clock, Logger } from '@eas/core';
import type { Sighting } from '../integrations/integration-health.store.ts';

type Sender = { tenantId: string; id: string };

/** Collects what is seen of integrations, off the path of their webhooks: a receipt pays no write for it. */
export type Sightings = {
  received(sender: Sender): void;
  /** A body came to the integration's own address that none of its secrets signed. */
  refused(sender: Sender): void;
  /** Writes what was collected. */
  close(): Promise<void>;
};

/** However many webhooks come, each integration is written about once in that time; the first is written at once. */
const intervalMs = 5_000;
const maxPending = 10_000;

export function createSightings(
  write: (sightings: readonly Sighting[]) => Promise<void>,
  { clock, logger }: { clock: Clock; logger: Logger },
): Sightings {
  let pending = new Map<string, Sighting>();
  let resting: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function record({ tenantId, id }: Sender, change: (sighting: Sighting) => void): void {
    const key = `${tenantId} ${id}`;
    const sighting = pending.get(key) ?? { tenantId, id, receivedAt: null, error: null };
    change(sighting);
    if (pending.size < maxPending) pending.set(key, sighting);
    if (resting === undefined) flush();
  }

  function flush(): void {
    resting = undefined;
    if (pending.size === 0) return;
    const batch = [...pending.values()];
    pending = new Map();
    resting = setTimeout(flush, intervalMs).unref();
    // What could not be written is lost: the next webhook says the same.
    writing = writing
      .then(() => write(batch))
      .catch((error: unknown) => logger.warn({ err: error }, 'health of integrations not written'));
  }

  return {
    received: (sender) => record(sender, (sighting) => (sighting.receivedAt = clock.now())),
    refused: (sender) => record(sender, (sighting) => (sighting.error = { at: clock.now(), reason: 'signature' })),
    async close() {
      clearTimeout(resting);
      flush();
      clearTimeout(resting);
      await writing;
    },
  };
}
