import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { clientPages } from './access-queries.ts';
import type { Client } from './access-words.ts';
import { ClientShown } from './client-actions.tsx';
import { CreateClient } from './client-form.tsx';
import { Scopes } from './fields.tsx';
import { useReadsAgain } from './use-access.ts';

const columns = [
  {
    name: 'Name',
    show: ({ id, name }: Client) => (
      <Link to="/clients/$clientId" params={{ clientId: id }} data-opens-page title={name}>
        {name}
      </Link>
    ),
  },
  { name: 'Kind', show: ({ is_public: isPublic }: Client) => (isPublic ? 'public' : 'has a secret') },
  { name: 'Scopes', show: ({ scopes }: Client) => <Scopes given={scopes} /> },
  {
    name: 'Redirect addresses',
    show: ({ redirect_uris: uris }: Client) => <span title={uris.join('\n')}>{uris.join(', ')}</span>,
  },
  { name: 'Created', show: ({ created_at: at }: Client) => <Moment at={at} /> },
];

export function ClientListPage() {
  const { new: isNew } = useSearch({ from: '/clients' });
  const navigate = useNavigate({ from: '/clients' });
  const mayManage = useMay('admin');
  const [made, setMade] = useState<Schemas['OauthClientWithSecret']>();
  const pages = useCursorPages(clientPages);
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { new: true } : {}, replace: true });
  const create = () => mayManage && showForm(true);
  useReadsAgain('clients');
  useShortcuts(mayManage ? [{ keys: 'n', label: 'Create an OAuth client', run: create }] : []);
  return (
    <>
      <PageHead title="OAuth clients">
        {mayManage && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogTable
        label="OAuth clients"
        pages={pages}
        columns={columns}
        empty={
          <EmptyState
            title="No OAuth clients"
            action={mayManage && <Button onClick={create}>Create an OAuth client</Button>}
          >
            An OAuth client is an application that asks people whether it may act for them.
          </EmptyState>
        }
      />
      {isNew && mayManage && !made && <CreateClient onClose={() => showForm(false)} onMade={setMade} />}
      {made && (
        <ClientShown
          client={made}
          onClose={() => void navigate({ to: '/clients/$clientId', params: { clientId: made.id }, search: {} })}
        />
      )}
    </>
  );
}
