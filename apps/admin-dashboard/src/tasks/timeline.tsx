import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { totalOf } from '../shell/waiting.ts';
import { agentsQuery } from '../work/task-queries.ts';
import styles from './tasks.module.css';

type Entry = Schemas['TaskTimelineEntry'];

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
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
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

const skipped = ['id', 'seq', 'type', 'timestamp', 'actor', 'input_id', 'artifact_id', 'lease_id'];

/** The sentence of an entry; of kinds without one, its fields, so that new kinds are shown as well. */
function detailOf(entry: Entry): string {
  if (entry.type === 'comment' || entry.type === 'message') return entry.content;
  if (entry.type === 'status_change') return `${entry.from} → ${entry.to}${entry.reason ? ` (${entry.reason})` : ''}`;
  const fields = Object.entries(entry).filter(([name, value]) => !skipped.includes(name) && value !== null);
  return fields.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${textOf(value)}`).join('\n');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
