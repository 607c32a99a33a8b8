import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { chatKind, chatMessages, type ChatPosting, maxChatAgeHours, removeOldClicks } from '@eas/chat';
import { createSender, expireMessages, type OnAttempt, removeOldMessages } from '@eas/outbound';
import type { WorkerOptions } from '@eas/queue';
import { type IdleWatch, type Loop, startLoop } from '@eas/runtime';

/** Maximum delay until a due message is noticed. */
const postEveryMs = 250;
const tidyEveryMs = 60_000;

export type ChattingParts = {
  database: Database;
  makeContext: WorkerOptions['makeContext'];
  posting: ChatPosting;
  onAttempt?: OnAttempt<unknown> | undefined;
  logger: Logger;
  /** Days that settled messages are kept; 0: for ever. */
  keptDays: number;
  idleWatch?: IdleWatch;
};

/** Posting to chat workspaces: `startPosting` is stopped with what it has under way. */
export function chatting(parts: ChattingParts) {
  const { database, makeContext, posting, onAttempt, logger, keptDays, idleWatch } = parts;
  return {
    startPosting(): Pick<Loop, 'stop'> {
      const contextOf = (tenantId: string, signal: AbortSignal) => makeContext({ tenantId, signal, logger });
      const sender = createSender(chatKind(posting), { database, contextOf, logger, onAttempt });
      const pause = idleWatch && { watch: idleWatch, nextDueAt: sender.nextDueAt };
      const loop = startLoop({ name: 'chat messages', everyMs: postEveryMs, run: () => sender.sweep(), logger, pause });
      return {
        async stop() {
          await loop.stop();
          await sender.close();
        },
      };
    },
    startTidying: (): Loop =>
      startLoop({
        name: 'old chat messages',
        everyMs: tidyEveryMs,
        run: async (signal) => {
          const { db } = database;
          const expired = await expireMessages(db, chatMessages, maxChatAgeHours, signal);
          if (expired > 0) logger.warn({ expired }, 'chat messages expired');
          await removeOldMessages(db, chatMessages, keptDays, signal);
          await removeOldClicks(db, signal);
        },
        logger,
      }),
  };
}
