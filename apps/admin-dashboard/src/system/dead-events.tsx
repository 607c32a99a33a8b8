import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, ProblemNote } from '../parts/notes.tsx';
import { say } from '../parts/toasts.tsx';
import { Ask } from '../resources/ask.tsx';
import { Facts } from '../resources/facts.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useChange } from '../resources/use-change.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { type DeadEvent, deadEventPages, retryDead } from './system-queries.ts';

const columns = [
  {
    name: 'Event',
    show: ({ event_id: event, event_type: type, consumer }: DeadEvent) => (
      <Link to="/system" search={{ event, consumer }} replace title={event}>
        {type ?? event}
      </Link>
    ),
  },
  { name: 'Given up', show: ({ dead_at: at }: DeadEvent) => <Moment at={at} /> },
  { name: 'Consumer', show: ({ consumer }: DeadEvent) => consumer },
  { name: 'Tenant', show: ({ tenant_id: tenant }: DeadEvent) => tenant },
  { name: 'Error', show: ({ last_error: error }: DeadEvent) => error },
];

export function DeadEvents() {
  const { event, consumer } = useSearch({ from: '/system' });
  const navigate = useNavigate({ from: '/system' });
  const [isAskingAll, setAskingAll] = useState(false);
  const pages = useCursorPages(deadEventPages);
  const shown = pages.rows.find((row) => row.event_id === event && row.consumer === consumer);
  const close = () => {
    setAskingAll(false);
    void navigate({ search: {}, replace: true });
  };
  return (
    <section aria-label="Dead events">
      <h2>Dead events</h2>
      <LogTable
        label="Dead events"
        pages={pages}
        columns={columns}
        empty={
          <EmptyState title="No dead events">
            An event that a consumer could not process ten times stands here, to be retried when its cause is removed.
          </EmptyState>
        }
      />
      {pages.rows.length > 0 && <Button onClick={() => setAskingAll(true)}>Retry all</Button>}
      {shown && <DeadEventShown event={shown} onClose={close} />}
      {isAskingAll && <AskRetryAll onClose={close} />}
    </section>
  );
}

function useRetry(events: readonly DeadEvent[] | undefined, onClose: () => void) {
  return useChange({
    resource: 'system',
    send: () => retryDead(events),
    onDone: ({ retried, has_more: hasMore }) => {
      say(events || !hasMore ? `${retried} retried` : `${retried} retried. There are more: retry again.`);
      onClose();
    },
  });
}

const AskRetryAll = ({ onClose }: { onClose: () => void }) => (
  <Ask title="Retry dead events" verb="Retry the events" change={useRetry(undefined, onClose)} onClose={onClose}>
    Consumers get the oldest 1,000 dead events again, those of all tenants. Each has ten attempts.
  </Ask>
);

function DeadEventShown({ event, onClose }: { event: DeadEvent; onClose: () => void }) {
  const change = useRetry([event], onClose);
  return (
    <Modal title="Retry a dead event?" isOpen onClose={onClose}>
      <Facts
        facts={{
          Event: event.event_id,
          Type: event.event_type,
          Consumer: event.consumer,
          Tenant: event.tenant_id,
          Attempts: event.attempts.toString(),
          'Given up': <Moment at={event.dead_at} />,
          'Last error': event.last_error,
        }}
      />
      {change.error && <ProblemNote error={change.error} />}
      <Button look="primary" disabled={change.isPending} onClick={() => change.mutate()}>
        Retry the event
      </Button>
    </Modal>
  );
}
