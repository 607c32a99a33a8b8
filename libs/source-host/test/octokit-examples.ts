import { createRequire } from 'node:module';

type Example = { action?: string; [field: string]: unknown };

const all = createRequire(import.meta.url)('@octokit/webhooks-examples') as { name: string; examples: Example[] }[];

/** Bodies that GitHub sends for an event. */
export function octokitExamples(event: string): Example[] {
  return all.find(({ name }) => name === event)?.examples ?? [];
}
