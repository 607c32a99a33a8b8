import { useCallback, useEffect, useRef, useState } from 'react';
import { api, read } from '../../api/client.ts';
import { followEntries } from '../../live/start-live.ts';
import { openSource, type PageQuery, pageSize, type SessionState } from './session-source.ts';

const nothing: SessionState = { attempts: [], isRead: false, error: undefined, earlier: undefined };

/** The newest entries of a session as it grows; `readEarlier` reads some of those before them. */
export function useSession(taskId: string): SessionState & { readEarlier: () => void } {
  const [state, setState] = useState(nothing);
  const source = useRef<ReturnType<typeof openSource>>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    source.current = openSource({
      read: (query) => readSession(taskId, query, signal),
      follow: (following) => followEntries(`/v1/tasks/${taskId}/session/events`, { signal, ...following }),
      signal,
      show: setState,
    });
    return () => {
      ending.abort();
      setState(nothing);
    };
  }, [taskId]);
  const readEarlier = useCallback(() => void source.current?.readEarlier(), []);
  return { ...state, readEarlier };
}

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
