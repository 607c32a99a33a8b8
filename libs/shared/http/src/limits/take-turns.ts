import { createRounds } from '@eas/core';
import type { Request, RequestHandler } from 'express';

/** Requests begun in one turn of the event loop; in between, other connections and the database are served. */
const perTurn = 8;

/**
 * Begins requests as they arrive while they are few. When there are many at once, callers take turns: a thousand
 * requests of one caller do not delay the single request of another. `lineOf` names the caller of a request that has to
 * wait.
 */
export function takeTurns(lineOf: (request: Request) => string): RequestHandler {
  const waiting = createRounds<() => void>();
  let begun = 0;
  let isTurnScheduled = false;

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isTurnScheduled = false;
    for (begun = 0; begun < perTurn && !waiting.isEmpty(); begun += 1) waiting.take()?.();
    if (begun > 0) scheduleTurn();
  }

  return (request, response, next) => {
    response.locals['arrivedMs'] = performance.now();
    scheduleTurn();
    if (begun < perTurn && waiting.isEmpty()) {
      begun += 1;
      return next();
    }
    // Skips a client that has disconnected in the meantime.
    waiting.add(lineOf(request), () => response.destroyed || next());
  };
}

/** When the request came, on the clock of `performance.now()`. */
export const arrivedMsOf = ({ locals }: { locals: Record<string, unknown> }): number =>
  (locals['arrivedMs'] as number | undefined) ?? performance.now();
