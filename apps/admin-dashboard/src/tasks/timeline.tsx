import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { totalOf } from '../shell/waiting.ts';
import { agentsQuery } from '../resources/task-queries.ts';
import { detailOf } from './entry-text.ts';
import styles from './tasks.module.css';

const shownEntries = 100;

const timelineQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['tasks', 'timeline', taskId],
    queryFn: ({ signal }) => {
      const params = { path: { task_id: taskId }, query: { sort: '-seq' as const, limit: shownEntries } };
      return read(api.GET('/v1/tasks/{task_id}/timeline', { params, signal }));
    },
  });

/** What happened, the newest first. */
export function Timeline({ taskId }: { taskId: string }) {
  const { data, error, refetch } = useQuery(timelineQuery(taskId));
  const agents = useQuery(agentsQuery).data?.data;
  const nameOf = (actor: string) => agents?.find(({ id }) => id === actor)?.name ?? actor;
  const hidden = totalOf(data) - (data?.data.length ?? 0);
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      {!data && <NotRead error={error} onRetry={() => void refetch()} />}
      <ol>
        {data?.data.map((entry) => (
          <li key={entry.id} className={styles['entry']}>
            <span className={parts['row']}>
              <strong>{words[entry.type] ?? entry.type}</strong>
              <span className={parts['small']}>
                {nameOf(entry.actor)}, <Moment at={entry.timestamp} />
              </span>
            </span>
            <p className={parts['text']}>{detailOf(entry)}</p>
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className={parts['small']}>{hidden} older entries are in the API.</p>}
    </section>
  );
}

const words: Readonly<Record<string, string>> = {
  created: 'Created',
  status_change: 'Status',
  comment: 'Comment',
  edit: 'Changed',
  assignment: 'Planned for',
  progress: 'Progress',
  input: 'Asked',
  answer: 'Answered',
  message: 'Message to the agent',
  artifact: 'Artifact',
  handoff: 'Handed over',
  late_result: 'Late result',
};
