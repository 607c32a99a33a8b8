import type { Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';

export type Use = { tenantId: string; id: string };

/** Collects which credentials were used and writes them off the request's path, once per `intervalMs`. */
export function collectUses(write: (used: readonly Use[]) => Promise<void>, logger: Logger, intervalMs = 5_000) {
  let used = new Map<string, Use>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function flush(): void {
    timer = undefined;
    // In one order everywhere: two processes never wait for each other in a circle.
    const batch = [...used.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    used = new Map();
    if (batch.length === 0) return;
    writing = write(batch).catch((error: unknown) =>
      logger.warn({ err: error, credentials: batch.length }, 'last use of credentials not recorded'),
    );
  }

  return {
    record({ tenantId, credentialId }: Principal): void {
      if (used.has(credentialId)) return;
      used.set(credentialId, { tenantId, id: credentialId });
      timer ??= setTimeout(flush, intervalMs).unref();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      await writing;
      flush();
      await writing;
    },
  };
}
