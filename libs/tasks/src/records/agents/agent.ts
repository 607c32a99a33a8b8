import type { AgentResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { agentStatus, type Presence } from './agent-state.ts';

export type Agent = {
  id: string;
  name: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  activeLeases: number;
  isAccepting: boolean;
  /** As it was recorded last. */
  presence: Presence;
  createdAt: Date;
  lastSeenAt: Date | null;
};

export function toAgentResource(agent: Agent): AgentResource {
  return {
    id: agent.id,
    name: agent.name,
    role: agent.role,
    status: agentStatus(agent),
    capabilities: agent.capabilities,
    max_concurrent_tasks: agent.maxConcurrentTasks,
    active_tasks: agent.activeLeases,
    accepting: agent.isAccepting,
    presence: agent.presence,
    created_at: formatTimestamp(agent.createdAt),
    last_active: formatTimestamp(agent.lastSeenAt ?? agent.createdAt),
  };
}
