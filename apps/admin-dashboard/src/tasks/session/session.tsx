import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import parts from '../../parts/parts.module.css';
import { saveFile } from '../../parts/save-file.ts';
import { useActorNames } from '../../resources/names/actor-names.ts';
import type { Task } from '../../resources/task-queries.ts';
import { type Attempt, attemptsOf, type Card, hasText, type Usage } from './cards.ts';
import { CardView } from './card-view.tsx';
import styles from './session.module.css';
import { useFollowedEnd } from './use-followed-end.ts';
import { readAsLines, useSession } from './use-session.ts';

/** Which attempts are shown: the newest one, all next to each other, or the one with this lease. */
type Shown = 'newest' | 'all' | (string & {});

/** What agents say and do while they work on the task, as it happens. `mayWrite`: comments on changes become messages. */
export function Session({ task, mayWrite }: { task: Task; mayWrite: boolean }) {
  const { entries, isRead, error, readEarlier } = useSession(task.id);
  const [shown, setShown] = useState<Shown>('newest');
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search.trim());
  const attempts = useMemo(() => attemptsOf(entries), [entries]);
  const nameOf = useActorNames(attempts.map(({ agentId }) => agentId));
  if (error) return <ProblemNote error={error} />;
  if (!isRead || attempts.length === 0) return null;
  const chosen = attempts.filter(({ leaseId }, at) => isShown(shown, leaseId, at === attempts.length - 1));
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
            {attempts.map(({ leaseId }, at) => (
              <option key={leaseId} value={leaseId}>
                Attempt {at + 1}
              </option>
            ))}
          </select>
        )}
        <Download taskId={task.id} />
      </div>
      {(entries[0]?.number ?? 1) > 1 && <Button onClick={readEarlier}>Show earlier entries</Button>}
      <div className={styles['attempts']}>
        {chosen.map((attempt) => (
          <AttemptView
            key={attempt.leaseId}
            attempt={attempt}
            title={`Attempt ${attempts.indexOf(attempt) + 1} by ${nameOf(attempt.agentId)}`}
            text={text}
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

type AttemptProps = { attempt: Attempt; title: string; text: string; writesTo: string | undefined };

function AttemptView({ attempt: { cards, plan, usage }, title, text, writesTo }: AttemptProps) {
  const found = text === '' ? cards : cards.filter((card) => hasText(card, text));
  const scroll = useFollowedEnd<HTMLOListElement>(found);
  return (
    <section className={styles['attempt']} aria-label={title}>
      <p className={parts['row']}>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <span className={parts['small']}>{usageText(usage)}</span>
      </p>
      {plan.length > 0 && (
        <ul className={styles['plan']} aria-label="Plan">
          {plan.map((step, at) => (
            <li key={at} className={parts['text']} dir="auto">
              {marks[step.status] ?? '○'} {step.text}
            </li>
          ))}
        </ul>
      )}
      <Cards found={found} isSearched={text !== ''}>
        <ol ref={scroll} className={styles['cards']} tabIndex={0} aria-label={`Entries of ${title}`}>
          {found.map((card) => (
            <li key={card.number} className={styles['card']} data-kind={card.kind}>
              <CardView card={card} writesTo={writesTo} />
            </li>
          ))}
        </ol>
      </Cards>
    </section>
  );
}

const Cards = ({
  found,
  isSearched,
  children,
}: {
  found: readonly Card[];
  isSearched: boolean;
  children: ReactNode;
}) => (found.length === 0 && isSearched ? <p className={parts['small']}>Nothing here has this text.</p> : children);

const marks: Readonly<Record<string, string>> = { completed: '✓', in_progress: '▸' };

function usageText({ tokens, cost, model }: Usage): string {
  const money =
    cost && new Intl.NumberFormat(undefined, { style: 'currency', currency: cost.currency }).format(cost.amount);
  return [model, tokens !== undefined && `${tokens.toLocaleString()} tokens`, money].filter(Boolean).join(', ');
}
