import { setTimeout as sleep } from 'node:timers/promises';
import type { NewSessionEntry } from '@eas/contracts';
import { z } from 'zod';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import { createPending } from './pending.ts';

/** Time from one call to the next while a person follows the session, while none does, and for so many bytes. */
const [followedMs, unfollowedMs, bytesPerMs] = [150, 2_000, 128];
/** Time that the last entries have when the work is over: they must not hold up what it comes to. */
const endMs = 5_000;

const appended = z.looseObject({ next: z.number(), is_followed: z.boolean() });

/** What an agent says and does under one lease, on its way to the session of its task. */
export type Transcript = {
  add(entry: NewSessionEntry): void;
  /** Sends what is left. */
  end(): Promise<void>;
};

export type TranscriptParts = {
  keeper: Pick<LeaseKeeper, 'call'>;
  /** Values that are replaced by asterisks. */
  secrets: readonly string[];
  log: Log;
};

export function createTranscript({ keeper, secrets, log }: TranscriptParts): Transcript {
  const pending = createPending(secrets);
  const ending = new AbortController();
  let [next, pauseMs, isOver] = [1, followedMs, false];
  let sending: Promise<void> | undefined;

  async function send({ entries, bytes }: ReturnType<typeof pending.take>): Promise<void> {
    const result = await keeper.call('session/entries', { first: next, entries });
    if (result.kind !== 'done') {
      isOver = true;
      if (result.kind === 'refused') log(`the session is not kept any longer: ${result.error.message}`);
      return;
    }
    const state = appended.safeParse(result.body).data;
    next = state?.next ?? next + entries.length;
    pauseMs = Math.max(state?.is_followed ? followedMs : unfollowedMs, bytes / bytesPerMs);
  }

  async function sendAll(): Promise<void> {
    while (!isOver && !pending.isEmpty()) {
      if (!ending.signal.aborted) await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      const taken = pending.take(ending.signal.aborted);
      // The end of a text may wait for more of it.
      if (taken.entries.length === 0) break;
      await send(taken);
    }
    sending = undefined;
  }

  return {
    add(entry) {
      if (isOver) return;
      pending.add(entry);
      sending ??= sendAll();
    },
    async end() {
      ending.abort();
      const rest = (sending ?? Promise.resolve()).then(sendAll);
      await Promise.race([rest, sleep(endMs, undefined, { ref: false })]);
      isOver = true;
    },
  };
}
