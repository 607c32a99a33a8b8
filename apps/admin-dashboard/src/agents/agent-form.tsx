import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { useChange } from '../work/use-change.ts';
import { type Agent, agentQuery, type ReadAgent } from './agent-queries.ts';

type Fields = Readonly<Record<string, string>>;

export function CreateAgent({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const create = useChange({
    resource: 'agents',
    send: (body: Schemas['CreateAgent']) =>
      read(api.POST('/v1/agents', { body, params: { header: { 'Idempotency-Key': key } } })),
    done: 'Agent created',
    onDone: ({ id }) => onCreated(id),
  });
  return (
    <Modal title="Create an agent" isOpen onClose={onClose}>
      <AgentForm verb="Create" error={create.error} isPending={create.isPending} onSend={create.mutate} />
    </Modal>
  );
}

/** Changes the version that was read; when somebody else changed it meanwhile, theirs stands beside what was typed. */
export function EditAgent({ opened, onClose }: { opened: ReadAgent; onClose: () => void }) {
  const client = useQueryClient();
  const [first] = useState(opened.agent);
  const [base, setBase] = useState(opened);
  const edit = useChange({
    resource: 'agents',
    send: async (body: Schemas['ChangeAgent']) => {
      const params = { path: { agent_id: base.agent.id }, header: { 'If-Match': base.etag } };
      try {
        return await read(api.PATCH('/v1/agents/{agent_id}', { params, body }));
      } catch (error) {
        if (asProblem(error).kind === 'conflict')
          setBase(await client.fetchQuery({ ...agentQuery(base.agent.id), staleTime: 0 }));
        throw error;
      }
    },
    done: 'Agent changed',
    onDone: onClose,
  });
  return (
    <Modal title="Edit the agent" isOpen onClose={onClose}>
      <AgentForm
        verb={edit.error && base !== opened ? 'Save over it' : 'Save'}
        agent={first}
        theirs={base.agent}
        error={edit.error}
        isPending={edit.isPending}
        onSend={edit.mutate}
      />
    </Modal>
  );
}

type FormProps = {
  verb: string;
  agent?: Agent;
  /** What the agent is by now. */
  theirs?: Agent;
  error: unknown;
  isPending: boolean;
  onSend: (body: Schemas['CreateAgent']) => void;
};

function AgentForm({ verb, agent, theirs, error, isPending, onSend }: FormProps) {
  const fields: Fields = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(bodyOf(new FormData(event.currentTarget)));
  };
  const before = agent && textsOf(agent);
  const now = theirs && textsOf(theirs);
  const partsOf = (name: keyof Texts, hint: string) => ({
    name,
    defaultValue: before?.[name] ?? (name === 'max_concurrent_tasks' ? '1' : ''),
    error: fields[name],
    hint: now && now[name] !== before?.[name] ? `Changed meanwhile to: ${now[name]}` : hint,
  });
  return (
    <form onSubmit={send}>
      <TextField label="Name" {...partsOf('name', '')} maxLength={200} required />
      <TextField label="Role" {...partsOf('role', 'It claims the tasks of this role.')} maxLength={64} required />
      <TextField label="Capabilities" {...partsOf('capabilities', 'Separated by commas.')} />
      <TextField
        label="Tasks at a time"
        {...partsOf('max_concurrent_tasks', '')}
        type="number"
        min={1}
        max={100}
        required
      />
      {error !== null && Object.keys(fields).length === 0 && <ProblemNote error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        {verb}
      </Button>
    </form>
  );
}

const textsOf = ({ name, role, capabilities, max_concurrent_tasks: max }: Agent) => ({
  name,
  role,
  capabilities: capabilities.join(', '),
  max_concurrent_tasks: String(max),
});
type Texts = ReturnType<typeof textsOf>;

function bodyOf(form: FormData): Schemas['CreateAgent'] {
  const textOf = (name: keyof Texts) => String(form.get(name) ?? '').trim();
  const capabilities = textOf('capabilities').split(',');
  return {
    name: textOf('name'),
    role: textOf('role'),
    capabilities: capabilities.map((one) => one.trim()).filter((one) => one !== ''),
    max_concurrent_tasks: Number(textOf('max_concurrent_tasks')),
  };
}
