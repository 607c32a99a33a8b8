import { agentList, agentResource } from '@eas/contracts';
import type { ApiResponse, Api } from './api.ts';
import { checkKey, type KnownAgent } from './check-key.ts';

/** Who works: an agent by its id, the one whose key it is, or one found by name and role, made if there is none. */
export type Wanted = { agentId?: string; name: string; role: string; capabilities: string[]; concurrency: number };

/** Finds or registers the agent. Throws a sentence when the key may not, or the agent is of another role. */
export async function findAgent(api: Api, wanted: Wanted, signal: AbortSignal): Promise<KnownAgent> {
  const { name, role, capabilities, concurrency } = wanted;
  if (wanted.agentId) return { id: wanted.agentId, name: wanted.agentId, role };
  const key = await checkKey(api, signal);
  if (key.kind === 'agent') return ofRole(key.agent, role);
  if (key.kind === 'refused') expectOk(key.response, 'looking for the agent');
  const query = new URLSearchParams({ name, role, sort: 'created_at', limit: '1' });
  const listed = await api({ method: 'GET', path: `/v1/agents?${query}` }, signal);
  const [found] = agentList.parse(expectOk(listed, 'looking for the agent')).data;
  if (found) return found;
  const body = { name, role, capabilities, max_concurrent_tasks: concurrency };
  const made = await api({ method: 'POST', path: '/v1/agents', body }, signal);
  return agentResource.parse(expectOk(made, 'registering the agent'));
}

function ofRole(agent: KnownAgent, role: string): KnownAgent {
  if (agent.role === role) return agent;
  throw new Error(`The key belongs to ${agent.id}, whose role is ${agent.role}, not ${role}.`);
}

function expectOk({ status, body, error }: ApiResponse, what: string): unknown {
  if (error) throw new Error(`${what} failed with ${status}: ${error.message}`);
  return body;
}
