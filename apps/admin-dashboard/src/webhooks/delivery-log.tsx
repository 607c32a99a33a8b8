import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { Tag } from '../parts/tag.tsx';
import log from '../resources/log.module.css';
import { ChoiceFilter, LogFilters, plainOptions, TextFilter, TimeFilter } from '../resources/log/log-filters.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { deliveryPages } from './webhook-queries.ts';
import type { DeliverySearch } from './webhook-search.ts';
import { type Delivery, deliveryStatuses, eventTypes, toneOf } from './webhook-words.ts';

const columns = [
  {
    name: 'Event',
    show: ({ id, webhook_id: webhookId, event_type: type, event_id: eventId }: Delivery) => (
      <Link
        to="/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: id }}
        data-opens-page
        title={eventId}
      >
        {type ?? eventId}
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status, reason }: Delivery) => (
      <Tag tone={toneOf(status)}>{reason === null ? status : `${status}: ${reason}`}</Tag>
    ),
  },
  { name: 'Last response', show: ({ last_status: status, last_outcome: outcome }: Delivery) => status ?? outcome },
  { name: 'Attempts', show: ({ attempts }: Delivery) => attempts },
  { name: 'Created', show: ({ created_at: at }: Delivery) => <Moment at={at} /> },
  { name: 'Next attempt', show: ({ next_attempt_at: at }: Delivery) => at !== null && <Moment at={at} /> },
];

export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const search = useSearch({ from: '/webhooks/$webhookId' });
  const navigate = useNavigate({ from: '/webhooks/$webhookId' });
  const change = (next: object) => void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <section aria-label="Deliveries">
      <h2 className={log['filters']}>Deliveries</h2>
      <Filters key={JSON.stringify(search)} search={search} onChange={change} />
      <Deliveries
        key={webhookId + JSON.stringify(search)}
        webhookId={webhookId}
        search={search}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
    </section>
  );
}

type DeliveriesProps = { webhookId: string; search: DeliverySearch; onClear: () => void };

function Deliveries({ webhookId, search, onClear }: DeliveriesProps) {
  const pages = useCursorPages(deliveryPages(webhookId, search));
  const isFiltered = Object.keys(search).length > 0;
  const empty = isFiltered ? (
    <EmptyState title="No deliveries" action={<Button onClick={onClear}>Clear the filters</Button>}>
      No delivery fits these filters.
    </EmptyState>
  ) : (
    <EmptyState title="No deliveries">
      Nothing was sent yet. Send a test event, or wait for the next event that this webhook subscribes to.
    </EmptyState>
  );
  return <LogTable label="Deliveries" pages={pages} columns={columns} empty={empty} />;
}

type FiltersProps = { search: DeliverySearch; onChange: (change: object) => void };

const Filters = ({ search, onChange }: FiltersProps) => (
  <LogFilters>
    <ChoiceFilter
      label="Status"
      any="Any status"
      options={plainOptions(deliveryStatuses)}
      value={search.status}
      onChange={(status) => onChange({ status })}
    />
    <ChoiceFilter
      label="Event type"
      any="Any event"
      options={plainOptions(eventTypes)}
      value={search.event_type}
      onChange={(event_type) => onChange({ event_type })}
    />
    <TextFilter label="Event ID" value={search.event_id} onChange={(event_id) => onChange({ event_id })} />
    <TextFilter label="Reason" value={search.reason} onChange={(reason) => onChange({ reason })} />
    <TimeFilter
      label="Created after"
      value={search.created_after}
      onChange={(created_after) => onChange({ created_after })}
    />
    <TimeFilter
      label="Created before"
      value={search.created_before}
      onChange={(created_before) => onChange({ created_before })}
    />
  </LogFilters>
);
