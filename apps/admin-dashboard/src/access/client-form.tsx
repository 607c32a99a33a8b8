import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { DraftArea, forgetDrafts } from '../work/draft-fields.tsx';
import { useChange } from '../work/use-change.ts';
import { clientQuery, type Opened } from './access-queries.ts';
import type { Client } from './access-words.ts';
import { fieldsFor, FormText, LimitFields, limitsOf, ScopeFields, scopesOf, textOf } from './fields.tsx';
import { useEdit } from './use-access.ts';

const draft = 'new-client';

type CreateProps = { onClose: () => void; onMade: (client: Schemas['OauthClientWithSecret']) => void };

export function CreateClient({ onClose, onMade }: CreateProps) {
  const once = useOnce();
  const { mutate, error, isPending } = useChange({
    resource: 'clients',
    send: (body: Schemas['CreateOauthClient']) =>
      once((header) => read(api.POST('/admin/api/clients', { body, params: { header } }))),
    onDone: (client) => {
      forgetDrafts(draft);
      onMade(client);
    },
  });
  const send = (form: FormData) => mutate({ ...bodyOf(form), is_public: form.get('kind') === 'public' });
  return (
    <Modal title="Create an OAuth client" isOpen onClose={onClose}>
      <ClientForm verb="Create client" error={error} isPending={isPending} onSend={send}>
        <SelectField
          label="Kind"
          name="kind"
          hint="An installed app or code in a browser cannot keep a secret. Such a client must use PKCE."
        >
          <option value="confidential">With a secret</option>
          <option value="public">Public, without a secret</option>
        </SelectField>
      </ClientForm>
    </Modal>
  );
}

export function EditClient({ opened, onClose }: { opened: Opened<Client>; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = opened.item;
  const { before, theirs, verb, change } = useEdit({
    resource: 'clients',
    opened,
    readAgain: () => client.fetchQuery({ ...clientQuery(id), staleTime: 0 }),
    send: (body: Schemas['ChangeOauthClient'], header) =>
      read(api.PATCH('/admin/api/clients/{client_id}', { params: { path: { client_id: id }, header }, body })),
    done: 'Client changed',
    onDone: onClose,
  });
  return (
    <Modal title="Edit the client" isOpen onClose={onClose}>
      <ClientForm
        {...{ verb, before, theirs }}
        error={change.error}
        isPending={change.isPending}
        onSend={(form) => change.mutate(bodyOf(form))}
      />
    </Modal>
  );
}

type FormProps = {
  verb: string;
  before?: Client;
  theirs?: Client;
  error: unknown;
  isPending: boolean;
  onSend: (form: FormData) => void;
  children?: React.ReactNode;
};

function ClientForm({ verb, before, theirs, error, isPending, onSend, children }: FormProps) {
  const of = fieldsFor({ before: before ? textsOf(before) : newClient, theirs: theirs && textsOf(theirs), error });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  const addresses = of('redirect_uris', 'One a line. Each must match exactly.');
  const { defaultValue: _none, ...draftAddresses } = addresses;
  return (
    <form onSubmit={send}>
      <FormText
        draft={before ? undefined : draft}
        label="Name"
        {...of('name', 'Shown to people when the application asks for access.')}
        maxLength={200}
        required
      />
      {before ? (
        <TextArea label="Redirect addresses" {...addresses} required />
      ) : (
        <DraftArea draft={draft} label="Redirect addresses" {...draftAddresses} required />
      )}
      {children}
      <ScopeFields {...of('scopes', 'The most that people can allow it. You can grant only scopes that you have.')} />
      <LimitFields tier={of('tier')} rateLimit={of('rate_limit')} />
      {error !== null && Object.keys(asProblem(error).fields).length === 0 && <ProblemNote error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        {verb}
      </Button>
    </form>
  );
}

const textsOf = ({ name, redirect_uris: uris, scopes, tier, rate_limit: limit }: Client) => ({
  name,
  redirect_uris: uris.join('\n'),
  scopes: scopes.join(', '),
  tier: String(tier),
  rate_limit: limit === null ? '' : String(limit),
});
const newClient: ReturnType<typeof textsOf> = {
  name: '',
  redirect_uris: '',
  scopes: '',
  tier: 'standard',
  rate_limit: '',
};

const bodyOf = (form: FormData) => ({
  name: textOf(form, 'name'),
  redirect_uris: textOf(form, 'redirect_uris')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  scopes: scopesOf(form),
  ...limitsOf(form),
});
