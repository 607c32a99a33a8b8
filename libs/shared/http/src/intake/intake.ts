import type { IncomingMessage } from 'node:http';
import { addressBlock, createPace } from '@eas/core';
import { createLedger, type HeldBody } from './ledger.ts';
import { cutError, type CutReason, type OnCut } from './cut-error.ts';
import { defaultIntakeLimits, type IntakeLimits, isTooSlow } from './intake-limits.ts';

/** Watches the bodies that a process is reading: their speed, their number and their size in memory. */
export type Intake = {
  /** Watches a request's body from now on. `onCut` ends it; left out, the connection is cut. */
  watch(request: IncomingMessage, remoteAddress: string, onCut?: OnCut): WatchedBody;
  /** Cuts slow bodies. Runs by itself while bodies are unfinished. */
  sweep(): void;
};

export type WatchedBody = {
  /** Called when the body is cut. */
  onCut: OnCut;
  /** Counts bytes in memory until `release`. May cut this body or another one. */
  hold(bytes: number): void;
  /** Counts received bytes, and pauses the body when its address sends too fast. */
  pace(bytes: number): void;
  /** The body is complete; its bytes still count. */
  finish(): void;
  /** The body is no longer in memory. */
  release(): void;
};

type Options = {
  limits?: Partial<IntakeLimits> | undefined;
  onBodyCut?: ((reason: CutReason) => void) | undefined;
  nowMs?: () => number;
};

/**
 * Creates the watch of a server. Its timer runs only while a body is unfinished and does not keep the process alive.
 */
export function createIntake({ limits: given, onBodyCut, nowMs = () => performance.now() }: Options = {}): Intake {
  const limits = { ...defaultIntakeLimits, ...given };
  const ledger = createLedger(limits);
  const sweepMs = Math.min(1_000, limits.stallMs / 5);
  const perSecond = limits.bytesPerSecondOfAddress;
  const pace = createPace({ perSecond, burst: 2 * perSecond, nowMs });
  let timer: NodeJS.Timeout | undefined;

  function cut(body: HeldBody, reason: CutReason): void {
    ledger.release(body);
    onBodyCut?.(reason);
    body.onCut(cutError(reason));
  }

  function sweep(): void {
    const now = nowMs();
    for (const body of ledger.unfinished()) {
      if (body.request.complete) ledger.finish(body);
      else if (isTooSlow(body, now, limits)) cut(body, 'slow');
    }
    if (ledger.isIdle()) timer = void clearInterval(timer);
  }

  /** Pauses made here do not count as slowness. */
  function holdBack(body: HeldBody, bytes: number): void {
    const free = Math.min(body.freeBytes, bytes);
    body.freeBytes -= free;
    const waitMs = bytes > free ? pace.take(body.address, bytes - free) : 0;
    if (waitMs === 0) return;
    body.startedMs += waitMs;
    body.heldUntilMs = nowMs() + waitMs;
    body.request.pause();
    setTimeout(() => body.request.resume(), waitMs).unref();
  }

  function enforceLimits(body: HeldBody): void {
    for (let crowded = ledger.findCrowded(body); crowded; crowded = ledger.findCrowded(body))
      cut(crowded.body, crowded.reason);
  }

  return {
    sweep,
    watch(request, remoteAddress, onCut = () => void request.destroy()) {
      const { bytesRead } = request.socket;
      const startedMs = nowMs();
      const body: HeldBody = {
        request,
        address: addressBlock(remoteAddress),
        onCut,
        heldBytes: 0,
        startedMs,
        bytesAtStart: bytesRead,
        bytesSeen: bytesRead,
        movedMs: startedMs,
        heldUntilMs: 0,
        freeBytes: limits.freeBytes,
      };
      ledger.add(body);
      enforceLimits(body);
      timer ??= setInterval(sweep, sweepMs).unref();
      return {
        get onCut() {
          return body.onCut;
        },
        set onCut(callback) {
          body.onCut = callback;
        },
        hold(bytes) {
          ledger.hold(body, bytes);
          enforceLimits(body);
        },
        pace: (bytes) => holdBack(body, bytes),
        finish: () => ledger.finish(body),
        release: () => ledger.release(body),
      };
    },
  };
}
