import { agentList, agentResource, type AgentResource } from '@eas/contracts';
import type { ApiResponse, Api } from './api.ts';

/** Who works: an agent by its id, the one whose key it is, or one found by name and role, made if there is none. */
export type Wanted = { agentId?: string; name: string; role: string; capabilities: string[]; concurrency: number };

export type FoundAgent = Pick<AgentResource, 'id' | 'name' | 'role'>;

/** Finds or registers the agent. Throws a sentence when the key may not, or the agent is of another role. */
export async function findAgent(api: Api, wanted: Wanted, signal: AbortSignal): Promise<FoundAgent> {
  const { name, role, capabilities, concurrency } = wanted;
  if (wanted.agentId) return { id: wanted.agentId, name: wanted.agentId, role };
  const own = await api({ method: 'GET', path: '/v1/agents/me' }, signal);
  if (own.status === 200) return ofRole(agentResource.parse(own.body), role);
  const query = new URLSearchParams({ name, role, sort: 'created_at', limit: '1' });
  const listed = await api({ method: 'GET', path: `/v1/agents?${query}` }, signal);
  const [found] = agentList.parse(expectOk(listed, 'looking for the agent')).data;
  if (found) return found;
  const body = { name, role, capabilities, max_concurrent_tasks: concurrency };
  const made = await api({ method: 'POST', path: '/v1/agents', body }, signal);
  return agentResource.parse(expectOk(made, 'registering the agent'));
}

function ofRole(agent: AgentResource, role: string): FoundAgent {
  if (agent.role === role) return agent;
  throw new Error(`The key belongs to ${agent.id}, whose role is ${agent.role}, not ${role}.`);
}

function expectOk({ status, body, error }: ApiResponse, what: string): unknown {
  if (error) throw new Error(`${what} failed with ${status}: ${error.message}`);
  return body;
}
