import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import log from '../resources/log.module.css';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { useLateReads } from '../resources/use-late-reads.ts';
import { InboundFilterBar } from './inbound-filters.tsx';
import { inboundPages } from './inbound-queries.ts';
import { InboundReplay } from './inbound-replay.tsx';
import type { InboundFilters } from './inbound-search.ts';
import { type InboundEvent, stateTone } from './inbound-words.ts';
import { ReplayInbound } from './replay-inbound.tsx';
import { readAgain } from '../live/read-again.ts';

export function InboundListPage() {
  const { replay, ...filters } = useSearch({ from: '/inbound' });
  const navigate = useNavigate({ from: '/inbound' });
  const client = useQueryClient();
  const mayChange = useMay('integrations:write');
  const [isReplaying, setIsReplaying] = useState(false);
  const show = (search: InboundFilters & { replay?: string | undefined }) =>
    void navigate({ search: search as InboundFilters, replace: true });
  const readNow = () => void readAgain(client, ['inbound', 'integrations']);
  useLateReads('inbound');
  useShortcuts([{ keys: 'r', label: 'Read the list again', run: readNow }]);
  const key = JSON.stringify(filters);
  return (
    <>
      <PageHead title="Inbound">
        <Button shortcut="r" onClick={readNow}>
          Read again
        </Button>
        {mayChange && <Button onClick={() => setIsReplaying(true)}>Replay</Button>}
      </PageHead>
      {replay !== undefined && (
        <div className={log['page']}>
          <InboundReplay id={replay} />
        </div>
      )}
      <InboundFilterBar
        key={`filters ${key}`}
        filters={filters}
        onChange={(change) => show({ ...filters, ...change, replay })}
      />
      <InboundEvents key={key} filters={filters} onClear={() => show({ replay })} />
      {isReplaying && (
        <ReplayInbound
          filters={filters}
          onClose={() => setIsReplaying(false)}
          onStarted={(id) => {
            setIsReplaying(false);
            show({ ...filters, replay: id });
          }}
        />
      )}
    </>
  );
}

const columns = [
  {
    name: 'Event',
    show: ({ id, event }: InboundEvent) => (
      <Link to="/inbound/$inboundEventId" params={{ inboundEventId: id }} data-opens-page title={event}>
        {event}
      </Link>
    ),
  },
  {
    name: 'State',
    show: ({ state, reason }: InboundEvent) => (
      <Tag tone={stateTone(state)}>{reason === null ? state : `${state}: ${reason}`}</Tag>
    ),
  },
  { name: 'ID at the sender', show: ({ external_id: id }: InboundEvent) => id },
  { name: 'What became of it', show: ({ detail }: InboundEvent) => detail },
  { name: 'Received', show: ({ received_at: at }: InboundEvent) => <Moment at={at} /> },
];

function InboundEvents({ filters, onClear }: { filters: InboundFilters; onClear: () => void }) {
  const pages = useCursorPages(inboundPages(filters));
  const empty =
    Object.keys(filters).length > 0 ? (
      <EmptyState title="No received webhooks" action={<Button onClick={onClear}>Clear the filters</Button>}>
        No received webhook fits these filters.
      </EmptyState>
    ) : (
      <EmptyState
        title="No received webhooks"
        action={
          <Link to="/integrations" className={buttonClass()}>
            Integrations
          </Link>
        }
      >
        Nothing was received yet. Connect a task platform or a source host, and set its address there.
      </EmptyState>
    );
  return <LogTable label="Received webhooks" pages={pages} columns={columns} empty={empty} />;
}
