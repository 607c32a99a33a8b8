import { api, read, type Schemas } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { type Agent, agentQuery, type ReadAgent } from './agent-queries.ts';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-agent';

export function CreateAgent({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  return (
    <CreateForm
      title="Create an agent"
      verb="Create"
      start={newAgent}
      resource="agents"
      {...{ draft, onClose }}
      bodyOf={bodyOf}
      post={(body, header) => read(api.POST('/v1/agents', { body, params: { header } }))}
      done="Agent created"
      onDone={({ id }) => onCreated(id)}
    >
      {(texts, errors) => <AgentFields {...{ texts, errors }} />}
    </CreateForm>
  );
}

export function EditAgent({ opened, onClose }: { opened: ReadAgent; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the agent"
      resource="agents"
      opened={opened}
      query={agentQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { agent_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/agents/{agent_id}', { params, body: bodyOf(form) }));
      }}
      done="Agent changed"
      onClose={onClose}
    >
      {(agent, errors) => <AgentFields texts={textsOf(agent)} errors={errors} />}
    </EditForm>
  );
}

const labels = {
  name: 'Name',
  role: 'Role',
  capabilities: 'Capabilities',
  max_concurrent_tasks: 'Tasks at a time',
};
type Name = keyof typeof labels;

const newAgent: Record<Name, string> = { name: '', role: '', capabilities: '', max_concurrent_tasks: '1' };

const textsOf = ({ name, role, capabilities, max_concurrent_tasks: max }: Agent): Record<Name, string> => ({
  name,
  role,
  capabilities: capabilities.join(', '),
  max_concurrent_tasks: String(max),
});

function AgentFields({ texts, errors }: { texts: Record<Name, string>; errors: Texts }) {
  const of = (name: Name) => ({
    name,
    label: labels[name],
    defaultValue: texts[name],
    error: errorOf(errors, name),
  });
  return (
    <>
      <TextField {...of('name')} maxLength={200} required />
      <TextField {...of('role')} hint="It claims the tasks of this role." maxLength={64} required />
      <TextField {...of('capabilities')} hint="Separated by commas." />
      <TextField {...of('max_concurrent_tasks')} type="number" min={1} max={100} required />
    </>
  );
}

function bodyOf(form: FormData): Schemas['CreateAgent'] {
  const textOf = (name: Name) => textIn(form, name);
  const capabilities = textOf('capabilities').split(',');
  return {
    name: textOf('name'),
    role: textOf('role'),
    capabilities: capabilities.map((one) => one.trim()).filter((one) => one !== ''),
    max_concurrent_tasks: Number(textOf('max_concurrent_tasks')),
  };
}
