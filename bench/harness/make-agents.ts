import type { BenchAgent } from './work-task.ts';
import { postJson } from './post-json.ts';

export async function makeAgents(
  url: string,
  apiKey: string,
  role: string,
  count: number,
  rateLimit = 1_000_000,
): Promise<BenchAgent[]> {
  const agents: BenchAgent[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = (await postJson(`${url}/v1/agents`, apiKey, { name: `agent ${number}`, role })) as { id: string };
    const limits = { tier: 'enterprise', rate_limit: rateLimit };
    const body = { name: `agent ${number}`, ...limits };
    const { key } = (await postJson(`${url}/v1/agents/${id}/keys`, apiKey, body)) as { key: string };
    agents.push({ id, key });
  }
  return agents;
}
