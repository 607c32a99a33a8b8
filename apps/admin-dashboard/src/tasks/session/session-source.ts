import { asProblem, type Problem } from '../../api/problem.ts';
import { type Attempt, createAttempts } from './attempts.ts';
import type { SessionEntry } from './cards.ts';

/** The size of a page, and of the first one. */
export const pageSize = 1_000;
/** New entries are batched for this long: the maximum delay until a person sees them. */
const gatherMs = 100;

type Earlier = { isReading: boolean; error: Problem | undefined };
export type SessionState = {
  attempts: readonly Attempt[];
  isRead: boolean;
  error: Problem | undefined;
  /** The position before the shown entries; undefined if there are none. */
  earlier: Earlier | undefined;
};

export type PageQuery = { after?: number; limit: number };
export type SessionPage = { data: SessionEntry[]; has_more: boolean; last_number: number };
type Following = { position: () => string; onEntry: (entry: unknown) => void; onGap: () => void };

export type SourceParts = {
  read: (query: PageQuery) => Promise<SessionPage>;
  follow: (following: Following) => Promise<unknown>;
  signal: AbortSignal;
  show: (state: SessionState) => void;
};

/** Reads the newest entries of a session and follows it; `readEarlier` reads some of those before them. */
export function openSource({ read, follow, signal, show }: SourceParts) {
  let attempts = createAttempts();
  let entries: SessionEntry[] = [];
  /** Number of the oldest entry that exists. */
  let oldest = 1;
  let earlier: Earlier = { isReading: false, error: undefined };
  let isWaiting = false;
  const first = () => entries[0]?.number ?? 1;
  const last = () => entries.at(-1)?.number ?? 0;

  function showNow(error?: unknown): void {
    if (signal.aborted) return;
    const problem = error === undefined ? undefined : asProblem(error);
    const before = first() > oldest ? earlier : undefined;
    show({ attempts: attempts.all(), isRead: true, error: problem, earlier: before });
  }

  /** Shows new entries a moment later, batched. */
  function add(received: readonly SessionEntry[]): void {
    const fresh = received.filter(({ number }) => number > last());
    if (fresh.length === 0) return;
    entries.push(...fresh);
    attempts.add(fresh);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      showNow();
    }, gatherMs);
  }

  async function readOn(after: number): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted;) {
      const page = await read({ after, limit: pageSize });
      add(page.data);
      isMore = page.has_more;
      after = last();
    }
  }

  async function begin(): Promise<void> {
    const { data, last_number: newest } = await read({ limit: 1 });
    oldest = data[0]?.number ?? 1;
    await readOn(Math.max(0, newest - pageSize));
    showNow();
    await follow({
      // The stream continues after the last known entry, also after the page was hidden.
      position: () => String(last()),
      onEntry: (entry) => add([entry as SessionEntry]),
      onGap: () => void readOn(last()).catch(() => {}),
    });
  }

  async function readEarlier(): Promise<void> {
    if (earlier.isReading) return;
    earlier = { isReading: true, error: undefined };
    showNow();
    try {
      const found = await readBefore(read, first());
      // Older entries were deleted.
      if (found.length === 0) oldest = first();
      entries = [...found, ...entries];
      attempts = createAttempts();
      attempts.add(entries);
      earlier = { isReading: false, error: undefined };
    } catch (error) {
      earlier = { isReading: false, error: asProblem(error) };
    }
    showNow();
  }

  void begin().catch((error: unknown) => showNow(error));
  return { readEarlier };
}

/** Entries before a number, without gaps even if pages are short. */
async function readBefore(read: SourceParts['read'], number: number): Promise<SessionEntry[]> {
  const found: SessionEntry[] = [];
  for (let after = Math.max(0, number - 1 - pageSize); after < number - 1;) {
    const { data } = await read({ after, limit: number - 1 - after });
    found.push(...data.filter((entry) => entry.number < number));
    after = data.at(-1)?.number ?? number;
  }
  return found;
}
