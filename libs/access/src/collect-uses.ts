import type { Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';
import type { Db } from '@eas/db';
import { touchApiKeys } from './api-key.store.ts';

/** Collects which keys were used and writes them off the request's path, once per `intervalMs`. */
export function collectUses(db: Db, logger: Logger, intervalMs = 5_000) {
  let used = new Map<string, { tenantId: string; id: string }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): void {
    timer = undefined;
    const batch = [...used.values()];
    used = new Map();
    if (batch.length === 0) return;
    writing = touchApiKeys(db, batch).catch((error: unknown) =>
      logger.warn({ err: error, keys: batch.length }, 'last uses of API keys were not written'),
    );
  }

  return {
    note({ tenantId, credentialId }: Principal): void {
      if (used.has(credentialId)) return;
      used.set(credentialId, { tenantId, id: credentialId });
      timer ??= setTimeout(write, intervalMs).unref();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      await writing;
      write();
      await writing;
    },
  };
}
