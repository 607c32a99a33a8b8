import type { IncomingMessage } from 'node:http';
import type { OnCut } from './cut-error.ts';
import type { IntakeLimits } from './intake-limits.ts';

export type HeldBody = {
  request: IncomingMessage;
  /** The unit that it counts for: an IPv4 address or a /64 of IPv6. */
  address: string;
  onCut: OnCut;
  heldBytes: number;
  startedMs: number;
  bytesAtStart: number;
  /** Bytes of the socket at the last check, and when they last increased. */
  bytesSeen: number;
  movedMs: number;
  /** Paused until then: its address sends too fast. */
  heldUntilMs: number;
  /** Remaining free bytes. */
  freeBytes: number;
};

type Share = { heldBytes: number; unfinished: Set<HeldBody>; finished: Set<HeldBody> };

/** The exceeded limit, and the body to cut. */
export type Crowded = { body: HeldBody; reason: 'address' | 'process' };

/**
 * Counts bodies and their bytes by address. Over a byte limit the largest unfinished body is cut, over a number limit
 * the oldest: well-behaved bodies are small and quick. A limit of the process cuts bodies of the address that has most.
 */
export function createLedger(limits: IntakeLimits) {
  const shares = new Map<string, Share>();
  const total = { heldBytes: 0, unfinished: 0 };

  const shareOf = (body: HeldBody): Share | undefined => shares.get(body.address);

  function finish(body: HeldBody): void {
    const share = shareOf(body);
    if (!share?.unfinished.delete(body)) return;
    total.unfinished -= 1;
    share.finished.add(body);
  }

  function largestShare(sizeOf: (share: Share) => number): Share | undefined {
    return [...shares.values()].reduce<Share | undefined>(
      (most, share) => (most && sizeOf(most) >= sizeOf(share) ? most : share),
      undefined,
    );
  }

  const oldest = (share: Share | undefined): HeldBody | undefined => share?.unfinished.values().next().value;
  const largest = (share: Share | undefined): HeldBody | undefined =>
    [...(share?.unfinished ?? [])].reduce<HeldBody | undefined>(
      (most, body) => (most && most.heldBytes >= body.heldBytes ? most : body),
      undefined,
    );

  return {
    add(body: HeldBody): void {
      let share = shareOf(body);
      if (!share) shares.set(body.address, (share = { heldBytes: 0, unfinished: new Set(), finished: new Set() }));
      share.unfinished.add(body);
      total.unfinished += 1;
    },
    hold(body: HeldBody, bytes: number): void {
      const share = shareOf(body);
      if (!share?.unfinished.has(body)) return;
      body.heldBytes += bytes;
      share.heldBytes += bytes;
      total.heldBytes += bytes;
    },
    finish,
    release(body: HeldBody): void {
      finish(body);
      const share = shareOf(body);
      if (!share?.finished.delete(body)) return;
      share.heldBytes -= body.heldBytes;
      total.heldBytes -= body.heldBytes;
      if (share.finished.size + share.unfinished.size === 0) shares.delete(body.address);
    },
    *unfinished(): Iterable<HeldBody> {
      for (const { unfinished } of shares.values()) yield* unfinished;
    },
    isIdle: () => total.unfinished === 0,
    /** The limit that `body` exceeds; undefined if none. */
    findCrowded(body: HeldBody): Crowded | undefined {
      const share = shareOf(body);
      if (!share?.unfinished.has(body)) return undefined;
      if (share.heldBytes > limits.maxBytesOfAddress) return { body: largest(share) ?? body, reason: 'address' };
      if (share.unfinished.size > limits.maxUnfinishedOfAddress)
        return { body: oldest(share) ?? body, reason: 'address' };
      if (total.heldBytes > limits.maxBytes)
        return { body: largest(largestShare(({ heldBytes }) => heldBytes)) ?? body, reason: 'process' };
      if (total.unfinished > limits.maxUnfinished)
        return { body: oldest(largestShare(({ unfinished }) => unfinished.size)) ?? body, reason: 'process' };
      return undefined;
    },
  };
}
