import { type FormEvent, useState } from 'react';
import { api, read } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { FormNote } from '../resources/edit/form-note.tsx';
import { useChange } from '../resources/use-change.ts';
import type { Agent } from './agent-queries.ts';
import styles from './agents.module.css';
import { ConnectAgent } from './connect.tsx';

const dayMs = 86_400_000;
const validDays = [30, 90, 365];

/** Makes a key that works as the agent, and shows it once. */
export function AgentKey({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const [key, setKey] = useState<string>();
  if (key === undefined) return <MakeKey agent={agent} onMade={setKey} onClose={onClose} />;
  return (
    <ShownOnce
      title="Copy the key now"
      values={{ Key: key }}
      onClose={onClose}
      more={
        <div className={styles['connect']}>
          <ConnectAgent agent={agent} apiKey={key} />
        </div>
      }
    >
      It is shown only once. Anyone who has it works as {agent.name}.
    </ShownOnce>
  );
}

type MakeKeyProps = { agent: Agent; onMade: (key: string) => void; onClose: () => void };

function MakeKey({ agent, onMade, onClose }: MakeKeyProps) {
  const once = useOnce();
  const make = useChange({
    resource: 'agents',
    send: (body: { name: string; expires_at: string | null }) =>
      once((header) => {
        const params = { path: { agent_id: agent.id }, header };
        return read(api.POST('/v1/agents/{agent_id}/keys', { params, body }));
      }),
    onDone: ({ key }) => onMade(key),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = Number(form.get('days'));
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
    make.mutate({ name: String(form.get('name')), expires_at: expiresAt });
  };
  const fields = make.error ? asProblem(make.error).fields : {};
  return (
    <Modal title="Make a key" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <p>With the key a program claims the tasks of this agent and reports on them. It can do nothing else.</p>
        <TextField
          label="Name of the key"
          name="name"
          defaultValue={agent.name}
          error={fields['name']}
          maxLength={200}
          required
        />
        <SelectField label="Valid" name="days" defaultValue={0} error={fields['expires_at']}>
          <option value={0}>until it is revoked</option>
          {validDays.map((days) => (
            <option key={days} value={days}>
              {days} days
            </option>
          ))}
        </SelectField>
        <FormNote error={make.error} />
        <Button look="primary" type="submit" disabled={make.isPending}>
          Make the key
        </Button>
      </form>
    </Modal>
  );
}
