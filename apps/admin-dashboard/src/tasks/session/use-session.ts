import { useEffect, useRef, useState } from 'react';
import { api, read } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { followEntries } from '../../live/start-live.ts';
import type { SessionEntry } from './cards.ts';

/** Entries that are read at once, and that are shown at first. */
const pageSize = 1_000;
/** Entries that come are gathered for that long: a person sees them as soon as that. */
const gatherMs = 100;

export type SessionState = {
  /** In the order of their numbers, without gaps. */
  entries: readonly SessionEntry[];
  isRead: boolean;
  error: Problem | undefined;
};

const nothing: SessionState = { entries: [], isRead: false, error: undefined };

/** The newest entries of a session as it grows; `readEarlier` reads some of those before them. */
export function useSession(taskId: string): SessionState & { readEarlier: () => void } {
  const [state, setState] = useState(nothing);
  const source = useRef<Source>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    source.current = openSource(taskId, ending.signal, setState);
    return () => {
      ending.abort();
      setState(nothing);
    };
  }, [taskId]);
  return { ...state, readEarlier: () => void source.current?.readEarlier() };
}

type Source = { readEarlier: () => Promise<void> };

function openSource(taskId: string, signal: AbortSignal, show: (state: SessionState) => void): Source {
  let entries: SessionEntry[] = [];
  let isWaiting = false;
  const last = () => entries.at(-1)?.number ?? 0;
  const showNow = (error?: unknown) =>
    signal.aborted ||
    show({ entries: [...entries], isRead: true, error: error === undefined ? undefined : asProblem(error) });

  /** Shows new ones a moment later, with all that come until then. */
  function add(news: readonly SessionEntry[]): void {
    const fresh = news.filter(({ number }) => number > last());
    if (fresh.length === 0) return;
    entries.push(...fresh);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      showNow();
    }, gatherMs);
  }

  async function readOn(after: number): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted;) {
      const page = await readSession(taskId, { after, limit: pageSize }, signal);
      add(page.data);
      isMore = page.has_more;
      after = last();
    }
  }

  async function begin(): Promise<void> {
    const { last_number: newest } = await readSession(taskId, { limit: 1 }, signal);
    await readOn(Math.max(0, newest - pageSize));
    showNow();
    await followEntries(`/v1/tasks/${taskId}/session/events`, {
      signal,
      // What is there already is not sent again, also after a while in which the page was hidden.
      position: () => String(last()),
      onEntry: (entry) => add([entry as SessionEntry]),
      onGap: () => void readOn(last()).catch(() => {}),
    });
  }

  void begin().catch((error: unknown) => showNow(error));
  return {
    async readEarlier() {
      const first = entries[0]?.number ?? 1;
      const from = Math.max(0, first - 1 - pageSize);
      const { data } = await readSession(taskId, { after: from, limit: pageSize }, signal);
      entries = [...data.filter(({ number }) => number < first), ...entries];
      showNow();
    },
  };
}

type PageQuery = { after?: number; limit: number };

const readSession = (taskId: string, query: PageQuery, signal?: AbortSignal) =>
  read(
    api.GET('/v1/tasks/{task_id}/session', {
      params: { path: { task_id: taskId }, query },
      ...(signal ? { signal } : {}),
    }),
  );

/** All of a session, an entry in each line (JSON). */
export async function readAsLines(taskId: string): Promise<string> {
  const lines: string[] = [];
  for (let [after, isMore] = [0, true]; isMore;) {
    const page = await readSession(taskId, { after, limit: pageSize });
    lines.push(...page.data.map((entry) => JSON.stringify(entry)));
    [after, isMore] = [page.data.at(-1)?.number ?? after, page.has_more];
  }
  return lines.map((line) => `${line}\n`).join('');
}
