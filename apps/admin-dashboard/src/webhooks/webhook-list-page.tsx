import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { SecretShown } from '../resources/copy-text.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreateWebhook } from './webhook-form.tsx';
import { webhookPages } from './webhook-queries.ts';
import { toneOf, type Webhook } from './webhook-words.ts';

const columns = [
  {
    name: 'Address',
    show: ({ id, url }: Webhook) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: id }} data-opens-page title={url}>
        {url}
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status, status_reason: reason }: Webhook) => (
      <Tag tone={toneOf(status)}>{reason === null ? status : `${status}: ${reason}`}</Tag>
    ),
  },
  { name: 'Description', show: ({ description }: Webhook) => description },
  { name: 'Events', show: ({ events }: Webhook) => events.join(', ') },
  {
    name: 'Last success',
    show: ({ last_success_at: at }: Webhook) => (at === null ? 'none' : <Moment at={at} />),
  },
];

export function WebhookListPage() {
  const { new: isNew } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const mayChange = useMay('webhooks:write');
  const [created, setCreated] = useState<{ id: string; secret?: string | undefined }>();
  const pages = useCursorPages(webhookPages);
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { new: true } : {}, replace: true });
  const create = () => mayChange && showForm(true);
  const openPage = (webhookId: string) => void navigate({ to: '/webhooks/$webhookId', params: { webhookId } });
  useShortcuts([{ keys: 'n', label: 'Create a webhook', run: create }]);
  return (
    <>
      <PageHead title="Webhooks">
        {mayChange && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogTable
        label="Webhooks"
        pages={pages}
        columns={columns}
        empty={
          <EmptyState title="No webhooks" action={mayChange && <Button onClick={create}>Create a webhook</Button>}>
            A webhook sends the events of your tasks, agents and workflows to an address of yours.
          </EmptyState>
        }
      />
      {isNew && mayChange && !created && (
        <CreateWebhook
          onClose={() => showForm(false)}
          onCreated={(webhook) => (webhook.secret === undefined ? openPage(webhook.id) : setCreated(webhook))}
        />
      )}
      {created?.secret !== undefined && <SecretShown secret={created.secret} onClose={() => openPage(created.id)} />}
    </>
  );
}
