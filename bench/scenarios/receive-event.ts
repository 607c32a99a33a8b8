import { randomBytes, randomUUID } from 'node:crypto';
import type { Bench, Scenario } from '../harness/bench.ts';
import { measureBesideLimit } from '../harness/beside-limit.ts';
import { postJson } from '../harness/post-json.ts';

export const scenario: Scenario = {
  name: 'receive-event',
  about: 'POST /webhook/taskplatform: signature checked, receipt, event and outbox row committed before the 200',
  async run(bench) {
    const { webhookId, secret } = await createIntegration(bench);
    await measureBesideLimit(bench, {
      app: 'webhook-receiver',
      path: '/webhook/taskplatform',
      headers: {},
      body: { kind: 'platform', template: taskUpdated(webhookId), secret },
    });
  },
};

async function createIntegration({ apps }: Bench): Promise<{ webhookId: string; secret: string }> {
  const [webhookId, secret] = [randomUUID(), randomBytes(24).toString('hex')];
  const gateway = await apps.start('api-gateway');
  const body = { type: 'taskplatform', webhook_id: webhookId, secret };
  await postJson(`${gateway.url}/v1/integrations`, apps.apiKey, body);
  await gateway.stop();
  return { webhookId, secret };
}

/** A change of a task's name, of the size that the platform sends. {{number}} makes each receipt another one. */
const taskUpdated = (webhookId: string) => ({
  event: 'taskUpdated',
  history_items: [
    {
      id: '{{number}}',
      type: 1,
      date: '1642734925064',
      field: 'name',
      parent_id: '162641062',
      data: {},
      source: null,
      user: {
        id: 183,
        username: 'John',
        email: 'john@company.com',
        color: '#7b68ee',
        initials: 'J',
        profilePicture: null,
      },
      before: 'Login',
      after: 'Rate-limit the login endpoint',
    },
  ],
  task_id: 'bench{{number}}',
  webhook_id: webhookId,
});
