import type { Scenario } from '../harness/bench.ts';
import { measureRead } from '../reads/read-against-limit.ts';

export const scenario: Scenario = {
  name: 'read-agent',
  about: 'GET /v1/agents/{id}: status, stats and current tasks',
  run: (bench) => measureRead(bench, ({ agentIds }) => agentIds.map((id) => `/v1/agents/${id}`)),
};
