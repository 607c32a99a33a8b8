import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Ask } from '../resources/ask.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { useChange } from '../resources/use-change.ts';
import { EditAgent } from './agent-form.tsx';
import { AgentKey } from './agent-key.tsx';
import type { ReadAgent } from './agent-queries.ts';

type Asked = 'drain' | 'delete' | 'edit' | 'key';

/** The actions on an agent; those that take its work away ask for confirmation. */
export function AgentActions({ opened, asksForKey }: { opened: ReadAgent; asksForKey: boolean }) {
  const [asked, setAsked] = useState<Asked | undefined>(asksForKey ? 'key' : undefined);
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const agent = opened.value;
  const close = () => {
    setAsked(undefined);
    if (asksForKey) void navigate({ to: '/agents/$agentId', search: {}, replace: true });
  };
  return (
    <>
      <Button look="primary" onClick={() => setAsked('key')}>
        Make a key
      </Button>
      <Button onClick={() => setAsked('edit')}>Edit</Button>
      <PauseOrResume {...agent} />
      {agent.accepting && <Button onClick={() => setAsked('drain')}>Drain</Button>}
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'key' && <AgentKey agent={agent} onClose={close} />}
      {asked === 'edit' && <EditAgent opened={opened} onClose={close} />}
      {asked === 'drain' && <AskDrain id={agent.id} onClose={close} />}
      {asked === 'delete' && <AskDelete opened={opened} onClose={close} />}
    </>
  );
}

const paramsOf = (id: string) => ({ path: { agent_id: id } });

function PauseOrResume({ id, accepting }: { id: string; accepting: boolean }) {
  const params = paramsOf(id);
  const change = {
    resource: 'agents' as const,
    send: () =>
      accepting
        ? read(api.POST('/v1/agents/{agent_id}/pause', { params }))
        : read(api.POST('/v1/agents/{agent_id}/resume', { params })),
    done: accepting ? 'Agent paused: it claims nothing, and keeps its tasks' : 'Agent resumed',
  };
  return (
    <ChangeButton change={change} failed={accepting ? 'Not paused' : 'Not resumed'}>
      {accepting ? 'Pause' : 'Resume'}
    </ChangeButton>
  );
}

type AskProps = { id: string; onClose: () => void };

function AskDrain({ id, onClose }: AskProps) {
  const change = useChange({
    resource: 'agents',
    send: () => read(api.POST('/v1/agents/{agent_id}/drain', { params: paramsOf(id) })),
    done: 'Agent drained',
    onDone: onClose,
  });
  return (
    <Ask title="Drain this agent?" verb="Drain the agent" change={change} onClose={onClose}>
      It claims nothing more, and the tasks that are planned for it go to other agents. It can finish those that it
      holds.
    </Ask>
  );
}

function AskDelete({ opened: { value, etag }, onClose }: { opened: ReadAgent; onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange({
    resource: 'agents',
    deletes: value.id,
    send: () => {
      const params = { ...paramsOf(value.id), header: { 'If-Match': etag } };
      return read(api.DELETE('/v1/agents/{agent_id}', { params }));
    },
    done: 'Agent deleted',
    onDone: () => void navigate({ to: '/agents' }),
  });
  return (
    <Ask title="Delete this agent?" verb="Delete the agent" isDangerous change={change} onClose={onClose}>
      Its tasks become open for other agents, its leases end, and its keys are revoked. This cannot be undone.
    </Ask>
  );
}
