import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, read } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { FormNote } from '../resources/edit/form-note.tsx';
import { useChange } from '../resources/use-change.ts';
import { type CodingAgent, codingAgents, startCommand } from './connect-agent.ts';
import { serviceUrl } from './connect.tsx';

type Made = { agentId: string; command: string };

/** Creates an agent with a key, and shows the command that starts it on any machine. */
export function AgentElsewhere({ role }: { role: string }) {
  const [made, setMade] = useState<Made>();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMakeAgent(setMade);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate({ role, preset: new FormData(event.currentTarget).get('preset') as CodingAgent });
  };
  return (
    <>
      <form onSubmit={send}>
        <SelectField label="Coding agent" name="preset" defaultValue="claude">
          {Object.entries(codingAgents).map(([preset, title]) => (
            <option key={preset} value={preset}>
              {title}
            </option>
          ))}
        </SelectField>
        <FormNote error={error} />
        <Button type="submit" disabled={isPending || role === ''}>
          Make the command
        </Button>
      </form>
      {made && (
        <ShownOnce
          title="Run this on the other machine"
          values={{ Command: made.command }}
          onClose={() => void navigate({ to: '/agents/$agentId', params: { agentId: made.agentId } })}
        >
          The key of the new agent is in it, and is shown only once. The machine needs the coding agent, Node.js 20.12
          or newer, and git.
        </ShownOnce>
      )}
    </>
  );
}

function useMakeAgent(onDone: (made: Made) => void) {
  const [onceAgent, onceKey] = [useOnce(), useOnce()];
  return useChange({
    resource: 'agents',
    send: async ({ role, preset }: { role: string; preset: CodingAgent }): Promise<Made> => {
      const name = `${codingAgents[preset]} elsewhere`;
      const body = { name, role, capabilities: [preset], max_concurrent_tasks: 1 };
      const agent = await onceAgent((header) => read(api.POST('/v1/agents', { body, params: { header } })));
      const path = { agent_id: agent.id };
      try {
        const { key } = await onceKey((header) =>
          read(api.POST('/v1/agents/{agent_id}/keys', { body: { name }, params: { path, header } })),
        );
        return { agentId: agent.id, command: startCommand({ url: serviceUrl, role, preset, apiKey: key }) };
      } catch (error) {
        // An agent without a key is of no use, and the next try makes another one.
        await read(api.DELETE('/v1/agents/{agent_id}', { params: { path } })).catch(() => {});
        throw error;
      }
    },
    onDone,
  });
}
