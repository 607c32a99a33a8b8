import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { forgetDrafts } from '../work/draft-fields.tsx';
import { fromLocalTime, toLocalTime } from '../work/read-search.ts';
import { agentsQuery } from '../work/task-queries.ts';
import { useChange } from '../work/use-change.ts';
import { keyQuery, type Opened } from './access-queries.ts';
import type { Key } from './access-words.ts';
import { fieldsFor, FormText, LimitFields, limitsOf, ScopeFields, scopesOf, textOf } from './fields.tsx';
import { useEdit } from './use-access.ts';

const draft = 'new-key';

type CreateProps = {
  agentId: string | undefined;
  onClose: () => void;
  onMade: (key: Schemas['ApiKeyWithSecret']) => void;
};

export function CreateKey({ agentId, onClose, onMade }: CreateProps) {
  const once = useOnce();
  const { mutate, error, isPending } = useChange({
    resource: 'keys',
    send: (body: Schemas['CreateApiKey']) =>
      once((header) => read(api.POST('/admin/api/keys', { body, params: { header } }))),
    onDone: (key) => {
      forgetDrafts(draft);
      onMade(key);
    },
  });
  const send = (form: FormData) =>
    mutate({ ...bodyOf(form), expires_at: expiryOf(form), agent_id: textOf(form, 'agent_id') || null });
  return (
    <Modal title="Create an API key" isOpen onClose={onClose}>
      <KeyForm verb="Create key" error={error} isPending={isPending} onSend={send}>
        <AgentField
          agentId={agentId}
          error={fieldsFor({ before: undefined, theirs: undefined, error })('agent_id').error}
        />
      </KeyForm>
    </Modal>
  );
}

export function EditKey({ opened, onClose }: { opened: Opened<Key>; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = opened.item;
  const { before, theirs, verb, change } = useEdit({
    resource: 'keys',
    opened,
    readAgain: () => client.fetchQuery({ ...keyQuery(id), staleTime: 0 }),
    send: (body: Schemas['ChangeApiKey'], header) =>
      read(api.PATCH('/admin/api/keys/{key_id}', { params: { path: { key_id: id }, header }, body })),
    done: 'Key changed',
    onDone: onClose,
  });
  const send = (form: FormData) => {
    const isExpiryNew = textOf(form, 'expires_at') !== textsOf(before).expires_at;
    change.mutate({ ...bodyOf(form), ...(isExpiryNew ? { expires_at: expiryOf(form) } : {}) });
  };
  return (
    <Modal title="Edit the key" isOpen onClose={onClose}>
      <KeyForm {...{ verb, before, theirs }} error={change.error} isPending={change.isPending} onSend={send} />
    </Modal>
  );
}

type FormProps = {
  verb: string;
  before?: Key;
  theirs?: Key;
  error: unknown;
  isPending: boolean;
  onSend: (form: FormData) => void;
  children?: React.ReactNode;
};

function KeyForm({ verb, before, theirs, error, isPending, onSend, children }: FormProps) {
  const of = fieldsFor({ before: before ? textsOf(before) : newKey, theirs: theirs && textsOf(theirs), error });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={send}>
      <FormText
        draft={before ? undefined : draft}
        label="Name"
        {...of('name', 'What the key is for, to recognise it later.')}
        maxLength={200}
        required
      />
      <ScopeFields {...of('scopes', 'What the key may do. You can grant only scopes that you have.')} />
      <LimitFields tier={of('tier')} rateLimit={of('rate_limit')} />
      <TextField label="Expires" {...of('expires_at', 'Empty: it does not expire.')} type="datetime-local" />
      {children}
      {error !== null && Object.keys(asProblem(error).fields).length === 0 && <ProblemNote error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        {verb}
      </Button>
    </form>
  );
}

function AgentField({ agentId, error }: { agentId: string | undefined; error: string | undefined }) {
  const agents = useQuery({ ...agentsQuery, enabled: useMay('agents:read') }).data?.data ?? [];
  const isMissing = agentId !== undefined && !agents.some(({ id }) => id === agentId);
  return (
    <SelectField
      key={agents.length}
      label="Agent"
      name="agent_id"
      defaultValue={agentId ?? ''}
      error={error}
      hint="The agent that the key acts as, with the scope agent:self."
    >
      <option value="">None</option>
      {isMissing && <option value={agentId}>{agentId}</option>}
      {agents.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

const textsOf = ({ name, scopes, tier, rate_limit: limit, expires_at: at }: Key) => ({
  name,
  scopes: scopes.join(', '),
  tier: String(tier),
  rate_limit: limit === null ? '' : String(limit),
  expires_at: toLocalTime(at ?? undefined),
});
const newKey: ReturnType<typeof textsOf> = { name: '', scopes: '', tier: 'standard', rate_limit: '', expires_at: '' };

const bodyOf = (form: FormData) => ({ name: textOf(form, 'name'), scopes: scopesOf(form), ...limitsOf(form) });
const expiryOf = (form: FormData): string | null => fromLocalTime(textOf(form, 'expires_at')) ?? null;
