import { createAgent } from '@eas/tasks';
import { agent, type Body, maps, taskId } from './corpus/bodies.ts';
import { type inboundScene, linkedTask } from './inbound-scene.ts';

type TestDatabase = Parameters<typeof inboundScene>[0] & { createTenant(): Promise<string> };

/** A tenant whose platform sends streams of the corpus; each stream ends in a task of its own. */
export async function corpusScene(test: TestDatabase, scene: ReturnType<typeof inboundScene>) {
  const tenantId = await test.createTenant();
  const secret = `a secret of sixteen ${tenantId}`;
  const { id: agentId } = await createAgent(test.context({ tenantId }), { name: 'Sam', role: 'rd' } as never);
  const users = Object.entries(maps.assignee_map).map(([user, to]) => [user, to === agent ? agentId : to]);
  const assignees = Object.fromEntries(users) as Record<string, string>;
  const connection = { type: 'taskplatform' as const, secret, status_map: maps.status_map, assignee_map: assignees };
  const { integration } = await scene.connect(tenantId, connection);
  return {
    tenantId,
    async play(bodies: readonly Body[], { oneByOne = false } = {}) {
      for (const body of bodies) await scene.sendPlatform(body, { secret, to: integration.id });
      await scene.apply(tenantId, { oneByOne });
    },
    async end() {
      const found = await linkedTask(test, tenantId, taskId);
      return found && stateOf(found, agentId);
    },
  };
}

/** What must not depend on the order. A task that was opened again is open, one that never ended is created. */
function stateOf(found: Record<string, unknown>, agentId: string): Record<string, unknown> {
  const { id: _id, tasks: _tasks, metadata: _metadata, platformStatus: _status, ...state } = found;
  const sorted = (list: unknown) => (list as string[]).sort();
  return {
    ...state,
    status: state['status'] === 'created' ? 'open' : state['status'],
    isHeld: state['isHeld'] === true && state['status'] !== 'cancelled',
    tags: sorted(state['tags']),
    comments: sorted(state['comments']),
    agent: state['agent'] === agentId ? agent : state['agent'],
    platform: { ...(state['platform'] as object), integration_id: undefined },
  };
}
