import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Ask } from '../resources/ask.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { useChange } from '../resources/use-change.ts';
import type { Client } from './access-words.ts';
import { EditClient } from './client-form.tsx';

/** The actions on a client. Whether its edit form is open is part of the address. */
export function ClientActions({ opened }: { opened: Versioned<Client> }) {
  const { edit } = useSearch({ from: '/clients/$clientId' });
  const navigate = useNavigate({ from: '/clients/$clientId' });
  const [asked, setAsked] = useState<'rotate' | 'delete'>();
  const close = () => setAsked(undefined);
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { edit: true } : {}, replace: true });
  const { id, is_public: isPublic } = opened.value;
  return (
    <>
      <Button onClick={() => showForm(true)}>Edit</Button>
      {!isPublic && <Button onClick={() => setAsked('rotate')}>Rotate the secret</Button>}
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {edit && <EditClient opened={opened} onClose={() => showForm(false)} />}
      {asked === 'rotate' && <RotateSecret id={id} onClose={close} />}
      {asked === 'delete' && <AskDelete opened={opened} onClose={close} />}
    </>
  );
}

type AskProps = { id: string; onClose: () => void };

function RotateSecret({ id, onClose }: AskProps) {
  const change = useChange({
    resource: 'clients',
    send: () => read(api.POST('/admin/api/clients/{client_id}/rotate-secret', { params: { path: { client_id: id } } })),
  });
  if (change.data) return <ClientShown client={change.data} onClose={onClose} />;
  return (
    <Ask title="Rotate the secret?" verb="Rotate the secret" change={change} onClose={onClose}>
      The application is refused until it has the new secret. Tokens stay valid.
    </Ask>
  );
}

type ShownProps = { client: Schemas['OauthClientWithSecret']; onClose: () => void };

export const ClientShown = ({ client: { id, client_secret: secret }, onClose }: ShownProps) => (
  <ShownOnce
    title={secret === undefined ? 'Client created' : 'Copy the secret now'}
    values={{ 'Client ID': id, ...(secret === undefined ? {} : { 'Client secret': secret }) }}
    onClose={onClose}
  >
    {secret === undefined
      ? 'This client has no secret and must use PKCE.'
      : 'The secret is shown only once. The application needs both.'}
  </ShownOnce>
);

function AskDelete({ opened: { value, etag }, onClose }: { opened: Versioned<Client>; onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange({
    resource: 'clients',
    deletes: value.id,
    send: () => {
      const params = { path: { client_id: value.id }, header: { 'If-Match': etag } };
      return read(api.DELETE('/admin/api/clients/{client_id}', { params }));
    },
    done: 'Client deleted: its tokens stop working within two seconds',
    onDone: () => void navigate({ to: '/clients' }),
  });
  return (
    <Ask title="Delete this client?" verb="Delete the client" isDangerous change={change} onClose={onClose}>
      People can no longer sign in through this client, and its tokens are refused. This cannot be undone.
    </Ask>
  );
}
