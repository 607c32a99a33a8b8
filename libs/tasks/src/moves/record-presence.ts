import { append, type Database, type Tx } from '@eas/db';
import { presenceOf } from '../records/agents/agent-state.ts';
import { lockPresences, setPresence } from '../records/agents/presence.store.ts';
import type { AgentRef } from '../records/agents/sightings.ts';

/** Records the presence of agents of any tenants, those of a tenant in one transaction. Returns how many changed. */
export async function recordAgents(
  { inTransaction }: Pick<Database, 'inTransaction'>,
  agents: readonly AgentRef[],
  leaseSeconds: number,
): Promise<number> {
  let recorded = 0;
  for (const [tenantId, own] of Map.groupBy(agents, (agent) => agent.tenantId)) {
    const ids = own.map(({ id }) => id);
    recorded += await inTransaction(tenantId, (tx) => recordPresence(tx, ids, leaseSeconds));
  }
  return recorded;
}

async function recordPresence(tx: Tx, agentIds: readonly string[], leaseSeconds: number): Promise<number> {
  const before = await lockPresences(tx, agentIds, leaseSeconds);
  const after = before.map((agent) => ({ ...agent, presence: presenceOf(agent.lastSeenAt, agent.now, leaseSeconds) }));
  await setPresence(tx, after);
  const changes = before.flatMap((agent, index) => {
    const to = after[index]?.presence;
    return to === undefined || to === agent.presence ? [] : [{ ...agent, to }];
  });
  for (const { id, name, role, presence, to, now } of changes) {
    const data = { agent_id: id, name, role, from: presence, to };
    append(tx, { type: 'agent.presence_changed', at: now, data, facts: null });
  }
  return changes.length;
}
