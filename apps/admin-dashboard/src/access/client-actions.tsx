import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { AskButton } from '../resources/ask.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import type { Client } from './access-words.ts';
import { EditClient } from './client-form.tsx';

/** The actions on a client. Whether its edit form is open is part of the address. */
export function ClientActions({ opened }: { opened: Versioned<Client> }) {
  const { edit } = useSearch({ from: '/clients/$clientId' });
  const navigate = useNavigate({ from: '/clients/$clientId' });
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { edit: true } : {}, replace: true });
  const { id, is_public: isPublic } = opened.value;
  const path = { client_id: id };
  return (
    <>
      <Button onClick={() => showForm(true)}>Edit</Button>
      <AskButton
        button={{ children: 'Rotate the secret' }}
        isOffered={!isPublic}
        title="Rotate the secret?"
        verb="Rotate the secret"
        change={{
          resource: 'clients',
          send: () => read(api.POST('/admin/api/clients/{client_id}/rotate-secret', { params: { path } })),
        }}
        shown={(client, close) => <ClientShown client={client} onClose={close} />}
      >
        The application is refused until it has the new secret. Tokens stay valid.
      </AskButton>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        title="Delete this client?"
        verb="Delete the client"
        isDangerous
        change={{
          resource: 'clients',
          deletes: id,
          send: () =>
            read(
              api.DELETE('/admin/api/clients/{client_id}', { params: { path, header: { 'If-Match': opened.etag } } }),
            ),
          done: 'Client deleted: its tokens stop working within two seconds',
          onDone: () => void navigate({ to: '/clients' }),
        }}
      >
        People can no longer sign in through this client, and its tokens are refused. This cannot be undone.
      </AskButton>
      {edit && <EditClient opened={opened} onClose={() => showForm(false)} />}
    </>
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
