import type { Queryable } from './db.ts';
import { isTableLockTimeout } from './sql-error.ts';
import { Unavailable } from './unavailable.ts';

export type LockBreaker = {
  /** Runs the statement, or throws a 503 at once while the breaker is open for its text. */
  run<T>(text: string, statement: () => Promise<T>): Promise<T>;
};

/** `onChange`: called when statements begin to be refused, and when none is refused any more. */
type LockBreakerOptions = {
  onChange?: (change: { isOpen: boolean; text: string }) => void;
  nowMs?: () => number;
};

/** How often one statement is let through to test whether the table is free again. */
const probeMs = 250;
/** Bound on the texts, since composed statements have very many. */
const maxTexts = 1_000;
/** Statements for locks of names, and those that have their own handling of locked tables. */
const isSpecial = /\bpg_advisory|\block_timeout\b/;

/**
 * A circuit breaker for statements on a locked table (VACUUM FULL, ALTER TABLE): a statement that waited for
 * `lock_timeout` in vain opens it for its text. Otherwise all connections would soon wait for that table, and work on
 * other tables would wait for a connection. Locks of rows and names concern few, and do not open it.
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
      // This table's lock is gone. If another table is still locked, the next statement there opens the breaker again.
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
