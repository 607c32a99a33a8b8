import { type Clock, isId, type Logger } from '@eas/core';
import type { ChatRefusal } from './chat-request-signature.ts';

/** Anybody can send what is refused: of each reason one line is written in that time. */
const everyMs = 10_000;

type Written = { atMs: number; unlogged: number };

/** Logs refused requests without anything of theirs but the integration that the address names. */
export function createRefusalLog({ clock, logger }: { clock: Clock; logger: Logger }) {
  const written = new Map<ChatRefusal, Written>();
  return (reason: ChatRefusal, address: string | undefined): void => {
    const atMs = clock.monotonicMs();
    const last = written.get(reason);
    if (last && atMs - last.atMs < everyMs) {
      last.unlogged += 1;
      return;
    }
    written.set(reason, { atMs, unlogged: 0 });
    const integrationId = address !== undefined && isId('integration', address) ? address : undefined;
    logger.warn({ reason, integrationId, unlogged: last?.unlogged ?? 0 }, 'chat request refused');
  };
}
