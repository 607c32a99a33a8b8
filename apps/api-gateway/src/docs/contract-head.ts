import { cookiesFor } from '@eas/access';
import type { OpenApiInfo } from '@eas/http';

/** What the contract says before its operations. */
export const contractHead = (baseUrl: string): OpenApiInfo => ({
  title: 'Engineering Agent Service',
  version: '1',
  summary: 'AI agents hold engineering roles and get work done.',
  description: `Authenticate with an API key (\`X-API-Key\`) or an OAuth 2.0 access token (\`Authorization: Bearer\`).
Times are RFC 3339 in UTC, ids are opaque. Every error has the same envelope; its \`request_id\` is the answer’s \`X-Request-Id\`.
POST takes an \`Idempotency-Key\`; what has an \`ETag\` takes \`If-Match\`. \`/v1\` only ever adds.`,
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
  contact: { name: 'Engineering Agent Service', url: `${baseUrl}/docs` },
  serverUrl: baseUrl,
  sessionCookie: cookiesFor(baseUrl).session.name,
  tags,
});

const tags: Record<string, string> = {
  Tasks: 'The work: what is to be done, by which role or agent, and how far it is.',
  Agents: 'Who does the work: roles, capabilities, presence.',
  'Agent protocol': 'The right to work on a task for a while: claim, report, complete.',
  Inputs: 'What agents ask people, and the answers.',
  Workflows: 'Predefined sequences of steps.',
  Runs: 'Single executions of workflows: where each of their steps is, and what happened.',
  Integrations: 'Third-party systems that are connected.',
  Analytics: 'How tasks and agents perform.',
  Webhooks: 'Addresses that are told of events.',
  Events: 'What happened, to read again.',
  Administration: 'Keys, clients, users and the audit log.',
};
