import { useQuery } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import { ReplayProgress } from '../resources/replay/replay-progress.tsx';
import { useChange } from '../resources/use-change.ts';
import { inboundReplayQuery } from './inbound-queries.ts';

/** The progress of one replay. */
export function InboundReplay({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(inboundReplayQuery(id));
  const mayChange = useMay('integrations:write');
  const params = { path: { inbound_replay_id: id } };
  const cancel = useChange({
    resource: 'inbound',
    send: () => read(api.POST('/v1/inbound-replays/{inbound_replay_id}/cancel', { params })),
    done: 'Replay cancelled',
  });
  return (
    <section aria-label="Replay">
      <h2>Replay</h2>
      {cancel.error && <ProblemNote error={cancel.error} />}
      {!data && <NotRead error={error} onRetry={() => void refetch()} />}
      {data && <ReplayProgress replay={data} onCancel={mayChange ? () => cancel.mutate() : undefined} />}
    </section>
  );
}
