import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Api } from './api.ts';

/** `sentAt` by performance.now(). */
export type OpenedPullRequest = { repository: string; status: number; sentAt: number };

type Example = { action?: string; repository: Record<string, unknown>; organization?: Record<string, unknown> };

/** The source host reports an opened pull request of an organisation that no run had before. */
export async function openPullRequest(api: Api): Promise<OpenedPullRequest> {
  const organisation = `demo-${randomBytes(4).toString('hex')}`;
  const secret = randomBytes(24).toString('hex');
  const integration = { type: 'github', org_name: organisation, repositories: ['web'], secret };
  await api.post('/v1/integrations', integration, z.looseObject({ id: z.string() }));
  const example = readExample();
  const repository = `${organisation}/web`;
  const text = JSON.stringify({
    ...example,
    repository: {
      ...example.repository,
      name: 'web',
      full_name: repository,
      owner: { ...(example.repository['owner'] as object), login: organisation },
    },
    organization: { ...example.organization, login: organisation },
  });
  const sentAt = performance.now();
  const response = await fetch(`${api.baseUrl}/webhook/sourcehost`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'pull_request',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
    },
    body: text,
    signal: AbortSignal.timeout(7_000),
  });
  await response.text();
  return { repository, status: response.status, sentAt };
}

function readExample(): Example {
  const all = createRequire(import.meta.url)('@octokit/webhooks-examples') as { name: string; examples: Example[] }[];
  const example = all.find(({ name }) => name === 'pull_request')?.examples.find(({ action }) => action === 'opened');
  if (!example) throw new Error('there is no example of an opened pull request');
  return example;
}
