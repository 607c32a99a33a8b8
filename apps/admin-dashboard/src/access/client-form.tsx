import type { ReactNode } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import type { Texts } from '../resources/edit/versions.ts';
import { clientQuery } from './access-queries.ts';
import { type Client, scopeValues } from './access-words.ts';
import { fieldsFor, LimitFields, limitsOf, ScopeFields, scopesOf } from './fields.tsx';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-client';

type CreateProps = { onClose: () => void; onMade: (client: Schemas['OauthClientWithSecret']) => void };

export function CreateClient({ onClose, onMade }: CreateProps) {
  return (
    <CreateForm
      title="Create an OAuth client"
      verb="Create client"
      start={{ ...newClient, kind: 'confidential' }}
      resource="clients"
      {...{ draft, onClose }}
      bodyOf={(form) => ({ ...bodyOf(form), is_public: form.get('kind') === 'public' })}
      post={(body, header) => read(api.POST('/admin/api/clients', { body, params: { header } }))}
      onDone={onMade}
    >
      {(texts, errors) => (
        <ClientFields texts={texts} errors={errors}>
          <SelectField
            label="Kind"
            name="kind"
            defaultValue={texts.kind}
            hint="An installed app or code in a browser cannot keep a secret. Such a client must use PKCE."
          >
            <option value="confidential">With a secret</option>
            <option value="public">Public, without a secret</option>
          </SelectField>
        </ClientFields>
      )}
    </CreateForm>
  );
}

export function EditClient({ opened, onClose }: { opened: Versioned<Client>; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the client"
      resource="clients"
      opened={opened}
      query={clientQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { client_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/admin/api/clients/{client_id}', { params, body: bodyOf(form) }));
      }}
      done="Client changed"
      onClose={onClose}
    >
      {(shown, errors) => <ClientFields texts={textsOf(shown)} errors={errors} />}
    </EditForm>
  );
}

const labels = {
  name: 'Name',
  redirect_uris: 'Redirect addresses',
  scopes: 'Scopes',
  tier: 'Tier',
  rate_limit: 'Requests a minute',
};
type ClientTexts = Record<keyof typeof labels, string>;

type FieldsProps = { texts: ClientTexts; errors: Texts; children?: ReactNode };

function ClientFields({ texts, errors, children }: FieldsProps) {
  const of = fieldsFor(texts, errors);
  return (
    <>
      <TextField
        label={labels.name}
        {...of('name', 'Shown to people when the application asks for access.')}
        maxLength={200}
        required
      />
      <TextArea
        label={labels.redirect_uris}
        {...of('redirect_uris', 'One a line. Each must match exactly.')}
        required
      />
      {children}
      <ScopeFields {...of('scopes', 'The most that people can allow it. You can grant only scopes that you have.')} />
      <LimitFields tier={of('tier')} rateLimit={of('rate_limit')} />
    </>
  );
}

const textsOf = ({ name, redirect_uris: uris, scopes, tier, rate_limit: limit }: Client): ClientTexts => ({
  name,
  redirect_uris: uris.join('\n'),
  scopes: scopeValues(scopes),
  tier: String(tier),
  rate_limit: limit === null ? '' : String(limit),
});
const newClient: ClientTexts = {
  name: '',
  redirect_uris: '',
  scopes: '',
  tier: 'standard',
  rate_limit: '',
};

const bodyOf = (form: FormData) => ({
  name: textIn(form, 'name'),
  redirect_uris: textIn(form, 'redirect_uris')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  scopes: scopesOf(form),
  ...limitsOf(form),
});
