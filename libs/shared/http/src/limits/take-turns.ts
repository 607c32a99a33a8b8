import type { Request, RequestHandler } from 'express';

/**
 * Requests that begin in one turn of the event loop. In between, the process sees what came on other connections and
 * what the database answered.
 */
const perTurn = 2;

/**
 * Begins requests as they come while they are few. When many come at once, callers take turns: a thousand requests of
 * one caller do not delay the single request of another. `lineOf` names the caller of a request that has to wait.
 */
export function takeTurns(lineOf: (request: Request) => string): RequestHandler {
  /** What each caller still has to begin, in the order of the callers' turns. */
  const lines = new Map<string, Set<() => void>>();
  let begun = 0;
  let isTurnScheduled = false;

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isTurnScheduled = false;
    for (begun = 0; begun < perTurn && lines.size > 0; begun += 1) beginNext();
    if (begun > 0) scheduleTurn();
  }

  function beginNext(): void {
    for (const [name, line] of lines) {
      lines.delete(name);
      for (const begin of line) {
        line.delete(begin);
        if (line.size > 0) lines.set(name, line);
        return begin();
      }
    }
  }

  return (request, response, next) => {
    response.locals['arrivedMs'] = performance.now();
    scheduleTurn();
    if (begun < perTurn && lines.size === 0) {
      begun += 1;
      return next();
    }
    const name = lineOf(request);
    const line = lines.get(name) ?? new Set();
    // A client that has gone meanwhile is owed nothing.
    lines.set(
      name,
      line.add(() => response.destroyed || next()),
    );
  };
}

/** When the request came, on the clock of `performance.now()`. */
export const arrivedMsOf = ({ locals }: { locals: Record<string, unknown> }): number =>
  (locals['arrivedMs'] as number | undefined) ?? performance.now();
