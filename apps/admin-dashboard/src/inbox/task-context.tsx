import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTimelineStream } from '../live/start-live.ts';
import styles from '../parts/parts.module.css';
import { TaskResult } from '../resources/results/task-result.tsx';
import { taskQuery } from '../resources/task-queries.ts';
import { StatusTag } from '../resources/status-tag.tsx';
import { NotRead } from '../parts/notes.tsx';
import { Subject } from '../parts/decision.tsx';
import type { Seeing } from '../parts/use-seeing.ts';

type TaskContextProps = {
  taskId: string;
  /** Where the person decides about the work. */
  seeing?: Seeing;
};

/** The task of an item in the inbox: its description and its results so far. */
export function TaskContext({ taskId, seeing }: TaskContextProps) {
  const { data: task, error } = useQuery(taskQuery(taskId));
  useTimelineStream(`/v1/tasks/${taskId}/events`, ['inputs', 'reviews', 'tasks']);
  if (!task) return <NotRead error={error} />;
  const result = <TaskResult task={task} />;
  return (
    <>
      <section aria-label="Task">
        <h2 className={styles['row']}>
          <Link to="/tasks/$taskId" params={{ taskId }} dir="auto">
            {task.title}
          </Link>
          <StatusTag status={task.status} />
        </h2>
        {task.workflow_run_id && (
          <p className={styles['small']}>
            A step of a workflow:{' '}
            <Link to="/runs/$runId" params={{ runId: task.workflow_run_id }}>
              Run
            </Link>
          </p>
        )}
        <p className={styles['text']} dir="auto">
          {task.description}
        </p>
      </section>
      {seeing ? <Subject seeing={seeing}>{result}</Subject> : result}
    </>
  );
}
