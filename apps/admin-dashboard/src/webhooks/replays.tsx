import { useQuery } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import { ReplayProgress } from '../resources/replay/replay-progress.tsx';
import { useChange } from '../resources/use-change.ts';
import { replaysQuery } from './webhook-queries.ts';

/** The newest replays of a webhook with their progress. */
export function Replays({ webhookId }: { webhookId: string }) {
  const { data, error } = useQuery(replaysQuery(webhookId));
  const mayChange = useMay('webhooks:write');
  const cancel = useChange({
    resource: 'webhooks',
    send: (id: string) => read(api.POST('/v1/replays/{replay_id}/cancel', { params: { path: { replay_id: id } } })),
    done: 'Replay cancelled',
  });
  if (!data) return <NotRead error={error} />;
  if (data.data.length === 0) return null;
  return (
    <section aria-label="Replays">
      <h2>Replays</h2>
      {cancel.error && <ProblemNote error={cancel.error} />}
      <ul>
        {data.data.map((replay) => (
          <li key={replay.id}>
            <ReplayProgress replay={replay} onCancel={mayChange ? () => cancel.mutate(replay.id) : undefined} />
          </li>
        ))}
      </ul>
    </section>
  );
}
