import type { AgentResource, agentStatuses } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

export type AgentStatus = (typeof agentStatuses)[number];

/** An agent's row, as lists need it. */
export type Agent = {
  id: string;
  name: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  activeLeases: number;
  createdAt: Date;
  lastSeenAt: Date | null;
};

/** What an agent is doing follows from its live leases and is stored nowhere. */
export function agentStatus({ activeLeases, maxConcurrentTasks }: Agent): AgentStatus {
  if (activeLeases === 0) return 'idle';
  return activeLeases >= maxConcurrentTasks ? 'busy' : 'active';
}

/** An agent as lists show it. */
export function toAgentResource(agent: Agent): AgentResource {
  return {
    id: agent.id,
    name: agent.name,
    role: agent.role,
    status: agentStatus(agent),
    capabilities: agent.capabilities,
    created_at: formatTimestamp(agent.createdAt),
    last_active: formatTimestamp(agent.lastSeenAt ?? agent.createdAt),
  };
}
