import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { totalOf } from '../shell/waiting.ts';
import { actorIdsIn, useActorNames } from '../resources/names/actor-names.ts';
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

/** The timeline, newest entries first. */
export function Timeline({ taskId }: { taskId: string }) {
  const { data, error, refetch } = useQuery(timelineQuery(taskId));
  const nameOf = useActorNames(actorIdsIn(data?.data));
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
                <bdi title={entry.actor}>{nameOf(entry.actor)}</bdi>, <Moment at={entry.timestamp} />
              </span>
            </span>
            <p className={parts['text']} dir="auto">
              {detailOf(entry, nameOf)}
            </p>
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
