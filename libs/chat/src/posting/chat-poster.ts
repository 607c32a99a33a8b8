import { createShares, type Logger } from '@eas/core';
import type { Database, UseCaseContext } from '@eas/db';
import { type DueChannel, findDueChannels } from './chat-channel.sweeper.ts';
import { type ChatPosting, postNext } from './post-next.ts';

/**
 * Posts at a time of one process, of one tenant and of one integration. A chat that hangs holds a post for 15 s, so that
 * shares do not even out in time: the tenants that come first must leave enough for those that come later.
 */
export const atATime = { posts: 256, ofTenant: 8, ofIntegration: 4 };

export type ChatPosterParts = {
  database: Pick<Database, 'db'>;
  makeContext: (caller: { tenantId: string; signal: AbortSignal; logger: Logger }) => UseCaseContext;
  posting: ChatPosting;
  logger: Logger;
};

export type ChatPoster = {
  /** Starts posting where something is due, in the shares of tenants and integrations, and does not wait for it. */
  sweep(): Promise<void>;
  /** Cuts off what runs, and waits for it. What was cut off is posted by another process. */
  close(): Promise<void>;
};

export function createChatPoster({ database, makeContext, posting, logger }: ChatPosterParts): ChatPoster {
  const tenants = createShares(atATime.posts, atATime.ofTenant);
  const integrations = createShares(atATime.posts, atATime.ofIntegration);
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function start({ tenantId, integrationId, channel }: DueChannel): void {
    const key = `${integrationId} ${channel}`;
    if (running.has(key)) return;
    const leaveTenant = tenants.tryTake(tenantId);
    if (!leaveTenant) return;
    const leaveIntegration = integrations.tryTake(integrationId);
    if (!leaveIntegration) return leaveTenant();
    const ctx = makeContext({ tenantId, signal: closing.signal, logger });
    const run = postNext(ctx, { integrationId, channel }, posting)
      // Its claim ends by itself.
      .catch((error: unknown) => logger.error({ err: error, tenantId, integrationId }, 'chat message not processed'))
      .finally(() => {
        leaveIntegration();
        leaveTenant();
        running.delete(key);
      });
    running.set(key, run);
  }

  return {
    async sweep() {
      if (closing.signal.aborted) return;
      for (const channel of await findDueChannels(database.db)) start(channel);
    },
    async close() {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}
