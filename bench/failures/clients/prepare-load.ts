import { makeAgents } from '../../harness/make-agents.ts';
import { postJson } from '../../harness/post-json.ts';
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';
import type { System } from '../system/system.ts';

const role = 'failures';
const secret = 'the secret of the failures';

export type LoadOptions = { sinkUrl: string; perSecond: number; agentCount: number; perMinute: number };

/** Makes what clients need, a webhook to the sink, an integration, a workflow and agents, and sets them to work. */
export async function prepareLoad(system: System, options: LoadOptions): Promise<MixedLoad> {
  const { apiKey } = system.bench.apps;
  const { sinkUrl, perSecond, agentCount, perMinute } = options;
  const [gateways, receivers] = [system.urlsOf('api-gateway'), system.urlsOf('webhook-receiver')];
  const url = gateways[0] ?? '';
  const post = (path: string, body: object) => postJson(`${url}${path}`, apiKey, body);
  await post('/v1/webhooks', { url: `${sinkUrl}/all`, events: ['task.created', 'task.completed'], secret });
  const integration = { webhookId: 'failures', secret };
  await post('/v1/integrations', { type: 'taskplatform', webhook_id: integration.webhookId, secret });
  const workflow = await post('/v1/workflows', {
    name: 'Failures',
    description: 'Two steps.',
    estimated_duration: 'no time',
    steps: [step('first', []), step('second', ['first'])],
  });
  const agents = await makeAgents(url, apiKey, role, agentCount, perMinute);
  const workflowId = String(workflow['id']);
  return startMixedLoad({ gateways, receivers, apiKey, agents, integration, workflowId, perSecond });
}

const step = (id: string, needs: string[]) => ({
  id,
  name: id,
  role,
  needs,
  timeout: 3_600,
  task: { title: `{{run.name}} ${id}`, description: 'To be done.' },
});
