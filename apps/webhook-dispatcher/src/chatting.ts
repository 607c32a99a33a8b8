import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import {
  type ChatPosting,
  createChatPoster,
  expireChatMessages,
  removeOldChatMessages,
  removeOldClicks,
} from '@eas/chat';
import type { WorkerOptions } from '@eas/queue';
import { type Loop, startLoop } from '@eas/runtime';

/** Maximum delay until a due message is noticed. */
const postEveryMs = 250;
const tidyEveryMs = 60_000;

export type ChattingParts = {
  database: Database;
  makeContext: WorkerOptions['makeContext'];
  posting: ChatPosting;
  logger: Logger;
  /** Days that settled messages are kept; 0: for ever. */
  keptDays: number;
};

/** Posting to chat workspaces: `startPosting` is stopped with what it has under way. */
export function chatting({ database, makeContext, posting, logger, keptDays }: ChattingParts) {
  return {
    startPosting(): Pick<Loop, 'stop'> {
      const poster = createChatPoster({ database, makeContext, posting, logger });
      const loop = startLoop({ name: 'chat messages', everyMs: postEveryMs, run: () => poster.sweep(), logger });
      return {
        async stop() {
          await loop.stop();
          await poster.close();
        },
      };
    },
    startTidying: (): Loop =>
      startLoop({
        name: 'old chat messages',
        everyMs: tidyEveryMs,
        run: async (signal) => {
          const { db } = database;
          const expired = await expireChatMessages(db, signal);
          if (expired > 0) logger.warn({ expired }, 'chat messages expired');
          await removeOldChatMessages(db, keptDays, signal);
          await removeOldClicks(db, signal);
        },
        logger,
      }),
  };
}
