import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { useTimelineStream } from '../live/start-live.ts';
import { buttonClass } from '../parts/button.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { answerTextOf } from '../resources/deciding/answer-text.ts';
import { AnsweredBy } from '../resources/names/answered-by.tsx';
import { TaskResult } from '../resources/results/task-result.tsx';
import { type Task, taskQuery } from '../resources/task-queries.ts';
import { StatusTag } from '../resources/status-tag.tsx';
import { isFinal } from '../resources/task-words.ts';
import { Session } from './session/session.tsx';
import { TaskActions, WriteToTask } from './task-actions.tsx';
import { TaskPermissions } from './task-permissions.tsx';
import { TaskFacts } from './task-facts.tsx';
import { TaskUsage } from './task-usage.tsx';
import styles from './tasks.module.css';
import { Timeline } from './timeline.tsx';

export function TaskPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId' });
  const { data: task, error, refetch } = useQuery(taskQuery(taskId));
  const mayChange = useMay('tasks:write');
  useTimelineStream(`/v1/tasks/${taskId}/events`, ['tasks', 'inputs']);
  if (!task) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead title={task.title} before={<StatusTag status={task.status} />}>
        {task.status === 'in_review' && (
          <Link to="/inbox" search={{ item: task.id }} className={buttonClass('primary')}>
            Review
          </Link>
        )}
        {mayChange && <TaskActions task={task} />}
      </PageHead>
      <div className={styles['task']}>
        <div className={styles['story']}>
          <p className={parts['text']} dir="auto">
            {task.description}
          </p>
          <Progress task={task} />
          <Inputs taskId={task.id} />
          <TaskPermissions taskId={task.id} mayChange={mayChange} />
          <Session task={task} mayWrite={mayChange && !isFinal(task.status)} />
          <TaskResult task={task} />
          <TaskUsage task={task} />
          {mayChange && <WriteToTask task={task} />}
          <Timeline taskId={task.id} />
        </div>
        <TaskFacts task={task} />
      </div>
    </>
  );
}

function Progress({ task: { progress } }: { task: Task }) {
  const {
    percent_complete: percent,
    milestones,
    estimate_remaining: remaining,
    estimate_remaining_hours: hours,
  } = progress;
  if (percent === 0 && milestones.length === 0) return null;
  return (
    <section aria-label="Progress">
      <h2>
        {percent} % done{hours !== null && `, ${remaining} to go`}
      </h2>
      <progress className={styles['progress']} max={100} value={percent} aria-label="Progress" />
      <ul>
        {milestones.map(({ name, completed }, at) => (
          <li key={at} className={parts['text']} dir="auto">
            {completed ? '✓' : '○'} {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Inputs({ taskId }: { taskId: string }) {
  const { data } = useQuery({
    queryKey: ['inputs', 'of', taskId],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/inputs', { params: { query: { task_id: taskId, sort: '-created_at', limit: 100 } }, signal })),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-label="Inputs">
      <h2>What the agent asked</h2>
      <ul>
        {data.data.map((input) => (
          <li key={input.id} className={styles['entry']}>
            <Link to="/inbox" search={{ item: input.id }} dir="auto">
              {input.prompt}
            </Link>{' '}
            <Tag tone={input.status === 'pending' ? 'warn' : 'none'}>{input.status}</Tag>{' '}
            {input.answered_by !== null && (
              <span className={parts['small']}>
                by <AnsweredBy {...input} />
              </span>
            )}
            <p className={parts['text']} dir="auto">
              {answerTextOf(input)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
