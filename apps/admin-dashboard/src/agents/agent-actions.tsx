import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { AskButton } from '../resources/ask.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { EditAgent } from './agent-form.tsx';
import { AgentKey } from './agent-key.tsx';
import type { ReadAgent } from './agent-queries.ts';

type Asked = 'edit' | 'key';

/** The actions on an agent; those that take its work away ask for confirmation. */
export function AgentActions({ opened, asksForKey }: { opened: ReadAgent; asksForKey: boolean }) {
  const [asked, setAsked] = useState<Asked | undefined>(asksForKey ? 'key' : undefined);
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const agent = opened.value;
  const params = paramsOf(agent.id);
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
      <AskButton
        button={{ children: 'Drain' }}
        isOffered={agent.accepting}
        title="Drain this agent?"
        verb="Drain the agent"
        change={{
          resource: 'agents',
          send: () => read(api.POST('/v1/agents/{agent_id}/drain', { params })),
          done: 'Agent drained',
        }}
      >
        It claims nothing more, and the tasks that are planned for it go to other agents. It can finish those that it
        holds.
      </AskButton>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        title="Delete this agent?"
        verb="Delete the agent"
        isDangerous
        change={{
          resource: 'agents',
          deletes: agent.id,
          send: () =>
            read(api.DELETE('/v1/agents/{agent_id}', { params: { ...params, header: { 'If-Match': opened.etag } } })),
          done: 'Agent deleted',
          onDone: () => void navigate({ to: '/agents' }),
        }}
      >
        Its tasks become open for other agents, its leases end, and its keys are revoked. This cannot be undone.
      </AskButton>
      {asked === 'key' && <AgentKey agent={agent} onClose={close} />}
      {asked === 'edit' && <EditAgent opened={opened} onClose={close} />}
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
