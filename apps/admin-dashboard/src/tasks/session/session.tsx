import { useDeferredValue, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useActorNames } from '../../resources/names/actor-names.ts';
import type { Task } from '../../resources/task-queries.ts';
import type { Attempt } from './attempts.ts';
import { AttemptView } from './attempt-view.tsx';
import styles from './session.module.css';
import { readAsLines, useSession } from './use-session.ts';

/** The visible attempts: the newest one, all side by side, or the one with this lease. */
type Shown = 'newest' | 'all' | (string & {});

/** The live session of the agents of a task. `mayWrite`: comments on changes become messages. */
export function Session({ task, mayWrite }: { task: Task; mayWrite: boolean }) {
  const { attempts, isRead, error, earlier, readEarlier } = useSession(task.id);
  const [shown, setShown] = useState<Shown>('newest');
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search.trim());
  const nameOf = useActorNames(attempts.map(({ agentId }) => agentId));
  if (error) return <ProblemNote error={error} />;
  if (!isRead || attempts.length === 0) return null;
  const chosen = attempts.filter(({ leaseId }, at) => isShown(shown, leaseId, at === attempts.length - 1));
  const titleOf = (attempt: Attempt) => `Attempt ${attempt.number ?? attempts.indexOf(attempt) + 1}`;
  const writesTo = mayWrite ? task.id : undefined;
  return (
    <section aria-label="Session">
      <h2>Session</h2>
      <div className={styles['controls']}>
        <input
          type="search"
          aria-label="Search the session"
          placeholder="Search the session"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        {attempts.length > 1 && (
          <select aria-label="Attempts" value={shown} onChange={({ target }) => setShown(target.value)}>
            <option value="newest">Newest attempt</option>
            <option value="all">All, side by side</option>
            {attempts.map((attempt) => (
              <option key={attempt.leaseId} value={attempt.leaseId}>
                {titleOf(attempt)}
              </option>
            ))}
          </select>
        )}
        <Download taskId={task.id} />
      </div>
      {earlier && (
        <Button disabled={earlier.isReading} onClick={readEarlier}>
          Show earlier entries
        </Button>
      )}
      {earlier?.error && <ProblemNote error={earlier.error} />}
      <div className={styles['attempts']}>
        {chosen.map((attempt) => (
          <AttemptView
            key={attempt.leaseId}
            attempt={attempt}
            title={`${titleOf(attempt)} by ${nameOf(attempt.agentId)}`}
            text={text}
            isWhole={earlier === undefined}
            writesTo={writesTo}
          />
        ))}
      </div>
    </section>
  );
}

const isShown = (shown: Shown, leaseId: string, isNewest: boolean): boolean =>
  shown === 'all' || (shown === 'newest' ? isNewest : shown === leaseId);

function Download({ taskId }: { taskId: string }) {
  const [error, setError] = useState<unknown>();
  const [isReading, setIsReading] = useState(false);
  async function download(): Promise<void> {
    setIsReading(true);
    setError(undefined);
    try {
      saveFile(`session-${taskId}.jsonl`, await readAsLines(taskId), 'application/x-ndjson');
    } catch (failure) {
      setError(failure);
    }
    setIsReading(false);
  }
  return (
    <>
      <Button disabled={isReading} onClick={() => void download()}>
        Download
      </Button>
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}
