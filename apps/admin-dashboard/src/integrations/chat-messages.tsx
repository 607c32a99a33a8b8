import type { Schemas } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { Tag } from '../parts/tag.tsx';
import log from '../resources/log.module.css';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { chatMessagePages } from './integration-queries.ts';

type Message = Schemas['ChatMessage'];

const columns = [
  { name: 'Event', show: ({ event_type: type, kind }: Message) => (kind === 'edit' ? `${type} (edit)` : type) },
  {
    name: 'State',
    show: ({ state }: Message) => (
      <Tag tone={state === 'posted' ? 'good' : ['failed', 'expired'].includes(state) ? 'bad' : 'none'}>{state}</Tag>
    ),
  },
  { name: 'Error', share: 3, show: ({ detail }: Message) => detail && <span title={detail}>{detail}</span> },
  { name: 'Channel', show: ({ channel }: Message) => channel ?? 'of the address' },
  { name: 'Attempts', show: ({ attempts }: Message) => attempts },
  { name: 'Created', show: ({ created_at: at }: Message) => <Moment at={at} /> },
];

export function ChatMessages({ integrationId }: { integrationId: string }) {
  const pages = useCursorPages(chatMessagePages(integrationId));
  return (
    <section aria-label="Messages">
      <h2 className={log['filters']}>Messages</h2>
      <LogTable
        label="Messages"
        pages={pages}
        columns={columns}
        empty={
          <EmptyState title="No messages">
            Nothing was posted yet. Choose events with Change; they are posted as they happen.
          </EmptyState>
        }
      />
    </section>
  );
}
