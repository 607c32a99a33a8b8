import { setTimeout as sleep } from 'node:timers/promises';
import type { NewSessionEntry } from '@eas/contracts';
import { z } from 'zod';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import type { Mask } from '../key/mask.ts';
import { createPending } from './pending.ts';
import { createToolPace } from './tool-pace.ts';

/** Time between two calls: while a person follows the session, while none does, and for this number of bytes. */
const [followedMs, unfollowedMs, bytesPerMs] = [150, 2_000, 128];
/** Time that the last entries have when the work is over: they must not hold up what it comes to. */
const endMs = 5_000;

const fullNotice: NewSessionEntry = { kind: 'notice', text: 'The session is full. Later entries are not kept.' };
/** Entries that a full session still has space for. */
const isBrief = ({ kind }: NewSessionEntry) => ['notice', 'question', 'permission', 'stop'].includes(kind);

function withoutMoreDiffs(entry: NewSessionEntry): NewSessionEntry {
  const { more_diffs: _, ...rest } = { more_diffs: undefined, ...entry };
  return rest;
}

const appended = z.looseObject({ next: z.number(), is_followed: z.boolean() });

/** What an agent says and does under one lease, on its way to the session of its task. */
export type Transcript = {
  add(entry: NewSessionEntry): void;
  /** Sends what is left. */
  end(): Promise<void>;
};

export type TranscriptParts = {
  keeper: Pick<LeaseKeeper, 'call'>;
  mask: Mask;
  log: Log;
};

export function createTranscript({ keeper, mask, log }: TranscriptParts): Transcript {
  const [pending, pace] = [createPending(mask), createToolPace()];
  const ending = new AbortController();
  let [next, pauseMs] = [1, followedMs];
  /** `isOlder`: the service does not know all that an entry can have. */
  let [isOlder, isFull, isOver] = [false, false, false];
  let sending: Promise<void> | undefined;

  async function send({ entries, bytes }: ReturnType<typeof pending.take>): Promise<void> {
    const known = isOlder ? entries.map(withoutMoreDiffs) : entries;
    const result = await keeper.call('session/entries', { first: next, entries: known });
    if (result.kind === 'refused' && result.error.details.constraint === 'limit' && !isFull) return keepBrief(entries);
    if (result.kind === 'refused' && result.error.details.constraint === 'unknown_field' && !isOlder) {
      isOlder = true;
      return send({ entries, bytes });
    }
    if (result.kind !== 'done') {
      isOver = true;
      if (result.kind === 'refused') log(`the session is not kept any longer: ${result.error.message}`);
      return;
    }
    const state = appended.safeParse(result.body).data;
    next = state?.next ?? next + entries.length;
    pauseMs = Math.max(state?.is_followed ? followedMs : unfollowedMs, bytes / bytesPerMs);
  }

  /** From here on only what a full session takes is sent. */
  function keepBrief(refused: readonly NewSessionEntry[]): void {
    log('the session is full');
    isFull = true;
    const rest = [...refused];
    while (!pending.isEmpty()) rest.push(...pending.take(true).entries);
    pace.due(true);
    [fullNotice, ...rest.filter(isBrief)].forEach(pending.add);
  }

  async function sendAll(): Promise<void> {
    while (!isOver && !(pending.isEmpty() && pace.isEmpty())) {
      if (!ending.signal.aborted) await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      pace.due(ending.signal.aborted).forEach(pending.add);
      const taken = pending.take(ending.signal.aborted);
      if (taken.entries.length > 0) await send(taken);
      // The end of a text may wait for more of it.
      else if (pace.isEmpty()) break;
    }
    sending = undefined;
  }

  return {
    add(entry) {
      if (isOver || (isFull && !isBrief(entry))) return;
      (entry.kind === 'tool' ? pace.add(entry) : [entry]).forEach(pending.add);
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
