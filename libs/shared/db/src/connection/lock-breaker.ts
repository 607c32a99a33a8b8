import type { Queryable } from './db.ts';
import { isTableLockTimeout } from './sql-error.ts';
import { Unavailable } from './unavailable.ts';

export type LockBreaker = {
  /** Runs the statement, or throws a 503 at once while ones of this text wait in vain for a table. */
  run<T>(text: string, statement: () => Promise<T>): Promise<T>;
};

/** `onChange`: called when the first statement is refused from now on, and when none is any more. */
type LockBreakerOptions = {
  onChange?: (change: { isOpen: boolean; text: string }) => void;
  nowMs?: () => number;
};

/** How often one of the statements is let through, to find out whether the table is free again. */
const probeMs = 250;
/** Texts that are put together of many parts are as many as there are combinations. */
const maxTexts = 1_000;
/** Locks of names, and what waits for tables in a way of its own because others wait behind it. */
const isSpecial = /\bpg_advisory|\block_timeout\b/;

/**
 * A circuit breaker for statements on a table that somebody else has locked, as VACUUM FULL and ALTER TABLE do: one
 * that waited for `lock_timeout` in vain opens it for its text. Otherwise all connections would soon wait for that
 * table, and any process that needs another one would wait behind them. Locks of rows and of names concern few, and
 * open nothing.
 */
export function createLockBreaker({
  onChange = () => {},
  nowMs = () => performance.now(),
}: LockBreakerOptions = {}): LockBreaker {
  const open = new Set<string>();
  let isProbing = false;
  let nextProbeMs = 0;

  function note(text: string, error: unknown): void {
    if (!isTableLockTimeout(error) || isSpecial.test(text) || open.size >= maxTexts) return;
    if (open.size === 0) onChange({ isOpen: true, text });
    open.add(text);
    nextProbeMs = nowMs() + probeMs;
  }

  function close(texts: readonly string[]): void {
    for (const text of texts) open.delete(text);
    if (open.size === 0) onChange({ isOpen: false, text: texts[0] ?? '' });
  }

  async function probe<T>(text: string, statement: () => Promise<T>): Promise<T> {
    isProbing = true;
    try {
      const result = await statement();
      // What held this table is gone. Where it holds another one as well, the next statement there opens it again.
      close([...open]);
      return result;
    } catch (error) {
      if (!isTableLockTimeout(error)) close([text]);
      throw error;
    } finally {
      isProbing = false;
      nextProbeMs = nowMs() + probeMs;
    }
  }

  return {
    async run(text, statement) {
      if (open.has(text)) {
        if (isProbing || nowMs() < nextProbeMs) throw tableIsLocked();
        return probe(text, statement);
      }
      try {
        return await statement();
      } catch (error) {
        note(text, error);
        throw error;
      }
    },
  };
}

/** The same connection or pool, behind the breaker. */
export const behind = (breaker: LockBreaker, on: Queryable): Queryable => ({
  query: (statement) => breaker.run(statement.text, () => on.query(statement)),
});

const tableIsLocked = () => new Unavailable('A table of the database is locked. Try again later.');
