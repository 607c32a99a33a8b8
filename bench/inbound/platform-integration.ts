import { randomBytes, randomUUID } from 'node:crypto';
import type { Apps } from '../harness/apps.ts';
import { postJson } from '../harness/post-json.ts';

export type PlatformIntegration = { webhookId: string; secret: string };

/** Connects a task platform, by a gateway that runs only for this. */
export async function createPlatformIntegration(apps: Apps): Promise<PlatformIntegration> {
  const [webhookId, secret] = [randomUUID(), randomBytes(24).toString('hex')];
  const gateway = await apps.start('api-gateway');
  await postJson(`${gateway.url}/v1/integrations`, apps.apiKey, {
    type: 'taskplatform',
    webhook_id: webhookId,
    secret,
  });
  await gateway.stop();
  return { webhookId, secret };
}

/** A change of a task's name, of the size that the platform sends. `date` is in Unix milliseconds. */
export function taskUpdated(
  { webhookId }: { webhookId: string },
  change: { id: string; taskId: string; date: number },
) {
  return {
    event: 'taskUpdated',
    history_items: [
      {
        id: change.id,
        type: 1,
        date: String(change.date),
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
        after: `Rate-limit the login endpoint ${change.id}`,
      },
    ],
    task_id: change.taskId,
    webhook_id: webhookId,
  };
}
