import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { NoAgentHas } from '../resources/no-agent-has.tsx';
import { TaskResult } from '../resources/results/task-result.tsx';
import type { Run, Step } from '../resources/run-queries.ts';
import { stepWords } from '../resources/run-words.ts';
import { isOpen } from '../resources/task-words.ts';
import { Actor } from '../resources/names/actor.tsx';
import { taskQuery } from '../resources/task-queries.ts';
import { detailOf, type Entry, wordsOf } from './run-entries.ts';
import styles from './runs.module.css';

export function StepDetail({ run, step }: { run: Run; step: Step }) {
  const { label, tone } = stepWords(step);
  const facts = {
    Role: (
      <>
        {step.role} {isOpen(step.task_status) && <NoAgentHas role={step.role} />}
      </>
    ),
    Agent: step.assignee && <Actor id={step.assignee} />,
    Attempts: step.attempt,
    Started: step.started_at && <Moment at={step.started_at} />,
    Finished: step.finished_at && <Moment at={step.finished_at} />,
    Reason: step.reason && (
      <span className={parts['text']} dir="auto">
        {step.reason}
      </span>
    ),
    Task: step.task_id && (
      <Link to="/tasks/$taskId" params={{ taskId: step.task_id }}>
        {step.task_id}
      </Link>
    ),
  };
  return (
    <section aria-label="Step" className={styles['story']}>
      <h2 className={parts['row']}>
        <span dir="auto">{step.name}</span>
        <Tag tone={tone}>{label}</Tag>
      </h2>
      <Facts facts={facts} />
      <Attempts entries={run.history.filter((entry) => 'step_id' in entry && entry.step_id === step.id)} />
      {step.task_id && <StepTaskResult taskId={step.task_id} />}
    </section>
  );
}

/** The results of the task of the present attempt. */
export function StepTaskResult({ taskId }: { taskId: string }) {
  const { data: task, error } = useQuery(taskQuery(taskId));
  return task ? <TaskResult task={task} /> : <NotRead error={error} />;
}

/** What happened to the step, grouped by attempt. */
function Attempts({ entries }: { entries: readonly Entry[] }) {
  const byAttempt = Map.groupBy(entries, (entry) => ('attempt' in entry ? (entry.attempt ?? 0) : 0));
  if (byAttempt.size === 0) return null;
  return (
    <ul aria-label="Attempts">
      {[...byAttempt].map(([attempt, own]) => (
        <li key={attempt} className={styles['entry']}>
          {attempt > 0 && <h3>Attempt {attempt}</h3>}
          {own.map((entry) => (
            <p key={entry.id} className={parts['text']} dir="auto">
              {wordsOf(entry)}, <Moment at={entry.timestamp} />
              {detailOf(entry) && `: ${detailOf(entry)}`}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
