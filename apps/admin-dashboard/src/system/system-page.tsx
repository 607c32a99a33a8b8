import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { DeadEvents } from './dead-events.tsx';
import { LoudestTenants } from './loudest-tenants.tsx';
import { QueueTable } from './queue-table.tsx';
import { SettingList } from './setting-list.tsx';
import { type SystemState, systemQuery } from './system-queries.ts';

export function SystemPage() {
  const { data, error, refetch, isFetching } = useQuery(systemQuery);
  const client = useQueryClient();
  const readAgain = () => void client.invalidateQueries({ queryKey: ['system'] });
  useShortcuts([{ keys: 'r', label: 'Read the state again', run: readAgain }]);
  return (
    <>
      <PageHead title="System">
        <Button shortcut="r" disabled={isFetching} onClick={readAgain}>
          Read again
        </Button>
      </PageHead>
      {!data && <NotRead error={error} onRetry={() => void refetch()} />}
      {data && <State state={data} />}
    </>
  );
}

const State = ({ state }: { state: SystemState }) => (
  <div className={log['page']}>
    <section aria-label="Versions">
      <h2>Versions</h2>
      <Facts
        facts={{
          Service: state.versions.service,
          Node: state.versions.node,
          Postgres: state.versions.postgres,
          'Newest migration': state.versions.schema,
          'Queues on': state.versions.queue_store === 'redis' ? 'Redis' : 'Postgres',
          'Gateway started': <Moment at={state.started_at} />,
        }}
      />
    </section>
    <section aria-label="Outbox">
      <h2>Outbox</h2>
      <Facts
        facts={{
          'Relay lag': durationOf(state.outbox.unsent_seconds),
          'Oldest event in a queue': durationOf(state.outbox.unconsumed_seconds),
          'Dead events': state.outbox.dead >= 10_000 ? '10,000 or more' : state.outbox.dead.toString(),
        }}
      />
    </section>
    <QueueTable queues={state.queues} />
    <LoudestTenants tenants={state.loudest_tenants} />
    <DeadEvents />
    <SettingList settings={state.settings} />
  </div>
);

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
}
