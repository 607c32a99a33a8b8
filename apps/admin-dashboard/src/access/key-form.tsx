import type { ReactNode } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { agentNames } from '../resources/names/sources.ts';
import { fromLocalTime, toLocalTime } from '../resources/read-search.ts';
import { keyQuery } from './access-queries.ts';
import { type Key, scopeValues } from './access-words.ts';
import { fieldsFor, LimitFields, limitsOf, ScopeFields, scopesOf } from './fields.tsx';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-key';

type CreateProps = {
  agentId: string | undefined;
  onClose: () => void;
  onMade: (key: Schemas['ApiKeyWithSecret']) => void;
};

export function CreateKey({ agentId, onClose, onMade }: CreateProps) {
  return (
    <CreateForm
      title="Create an API key"
      verb="Create key"
      start={{ ...newKey, agent_id: '' }}
      resource="keys"
      {...{ draft, onClose }}
      bodyOf={(form) => ({ ...bodyOf(form), expires_at: expiryOf(form), agent_id: textIn(form, 'agent_id') || null })}
      post={(body, header) => read(api.POST('/admin/api/keys', { body, params: { header } }))}
      onDone={onMade}
    >
      {(texts, errors) => (
        <KeyFields texts={texts} errors={errors}>
          <NameField
            source={agentNames}
            label="Agent"
            name="agent_id"
            first={agentId ?? texts.agent_id}
            none="None"
            hint="The agent that the key acts as, with the scope agent:self."
            error={errorOf(errors, 'agent_id')}
          />
        </KeyFields>
      )}
    </CreateForm>
  );
}

export function EditKey({ opened, onClose }: { opened: Versioned<Key>; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the key"
      resource="keys"
      opened={opened}
      query={keyQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { value, etag }) => {
        const isExpiryNew = textIn(form, 'expires_at') !== textsOf(value).expires_at;
        const body = { ...bodyOf(form), ...(isExpiryNew ? { expires_at: expiryOf(form) } : {}) };
        const params = { path: { key_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/admin/api/keys/{key_id}', { params, body }));
      }}
      done="Key changed"
      onClose={onClose}
    >
      {(key, errors) => <KeyFields texts={textsOf(key)} errors={errors} />}
    </EditForm>
  );
}

const labels = {
  name: 'Name',
  scopes: 'Scopes',
  tier: 'Tier',
  rate_limit: 'Requests a minute',
  expires_at: 'Expires',
};
type KeyTexts = Record<keyof typeof labels, string>;

type FieldsProps = { texts: KeyTexts; errors: Texts; children?: ReactNode };

function KeyFields({ texts, errors, children }: FieldsProps) {
  const of = fieldsFor(texts, errors);
  return (
    <>
      <TextField
        label={labels.name}
        {...of('name', 'What the key is for, to recognise it later.')}
        maxLength={200}
        required
      />
      <ScopeFields {...of('scopes', 'What the key may do. You can grant only scopes that you have.')} />
      <LimitFields tier={of('tier')} rateLimit={of('rate_limit')} />
      <TextField label={labels.expires_at} {...of('expires_at', 'Empty: it does not expire.')} type="datetime-local" />
      {children}
    </>
  );
}

const textsOf = ({ name, scopes, tier, rate_limit: limit, expires_at: at }: Key): KeyTexts => ({
  name,
  scopes: scopeValues(scopes),
  tier: String(tier),
  rate_limit: limit === null ? '' : String(limit),
  expires_at: toLocalTime(at ?? undefined),
});
const newKey: KeyTexts = { name: '', scopes: '', tier: 'standard', rate_limit: '', expires_at: '' };

const bodyOf = (form: FormData) => ({ name: textIn(form, 'name'), scopes: scopesOf(form), ...limitsOf(form) });
const expiryOf = (form: FormData): string | null => fromLocalTime(textIn(form, 'expires_at')) ?? null;
