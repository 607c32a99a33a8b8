// Agents that create, claim and complete tasks in a closed loop, next to what the HTTP stack can do without writing.
import { openYardstick } from '../figures/yardstick.ts';
import { runAgentLoad } from '../harness/agent-load.ts';
import { workerApps } from '../harness/apps.ts';
import type { Bench } from '../harness/bench.ts';
import { makeAgents } from '../harness/make-agents.ts';

export const clients = 20;
const role = 'cycles';

/** All apps running and warm. `load`: cycles for `seconds`. */
export async function openCycles(bench: Bench) {
  const { apps } = bench;
  const yardstick = await openYardstick(bench);
  const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
  if (!gateway) throw new Error('the gateway did not start');
  const agents = await makeAgents(gateway.url, apps.apiKey, role, clients);
  const load = (seconds: number) =>
    runAgentLoad({ url: gateway.url, apiKey: apps.apiKey, role, agents, work: { kind: 'cycles', seconds } });
  await load(5);
  // As autovacuum does within the first minute: plans made of empty tables are thrown away.
  await bench.stores.database.db.query('ANALYZE');
  return { yardstick, gateway, load };
}
