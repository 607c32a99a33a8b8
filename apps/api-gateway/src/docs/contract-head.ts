import { cookiesFor } from '@eas/access';
import type { OpenApiInfo } from '@eas/http';

const description = [
  'Authenticate with an API key (header `X-API-Key`) or an OAuth 2.0 access token (header `Authorization: Bearer`). A key that begins with `eas_` can also be sent as a bearer token.',
  'Times are RFC 3339 in UTC. Ids are opaque strings. Optional fields of a POST can be null, which means the same as leaving them out.',
  'Lists return pages: `limit` and `offset`, or `after` for cursors. Fields with a fixed list of values sort in the order of that list, text sorts by its first 500 characters, and null comes last.',
  'Every error has the same body. Its `code` follows the status, `details` names the first field that is wrong, and `request_id` is the `X-Request-Id` of the response.',
  'Send an `Idempotency-Key` with a POST to repeat it safely; operations that cannot keep that promise refuse it with 400. Send the `ETag` of a resource as `If-Match` to change only the version that you read.',
  '`/v1` only adds: new fields, new values of open lists, new operations. Ignore what you do not know.',
].join('\n\n');

export const contractHead = (baseUrl: string): OpenApiInfo => ({
  title: 'Engineering Agent Service',
  version: '1',
  summary: 'Manage AI agents that do engineering work.',
  description,
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
  contact: { name: 'Engineering Agent Service', url: `${baseUrl}/docs` },
  serverUrl: baseUrl,
  sessionCookie: cookiesFor(baseUrl).session.name,
  tags,
});

const tags: Record<string, string> = {
  Tasks: 'Units of work. Create tasks for a role or an agent, follow their progress, read their results, review them.',
  Agents: 'AI agents that hold engineering roles. Register them, see what they do, pause and resume them.',
  Runners: 'Processes on some machine that claim tasks for an agent. See where agents run, and let a runner end.',
  'Agent protocol':
    'What an agent calls to work: claim a task, renew the lease, report progress, and complete the task. The first call gives a `fencing_token`; all further calls send it.',
  Inputs: 'What agents ask people: questions, choices, forms, approvals, permissions. And the answers.',
  Permissions:
    'What agents may do with their tools: policies by project and role, requests of agents, and what people allowed for the rest of a task.',
  Projects:
    'What tasks belong to: git repositories with their setup and checks, and defaults for new tasks. Agents get the project of their task with the claim.',
  Profiles:
    'How the agents of a role work: instructions, model, skills, MCP servers and checks. The runner gives an agent its profile with each task.',
  Budgets:
    'What models may cost: prices, budgets of tenants, projects, roles, agents and tasks, and what is used of them.',
  Workflows: 'Predefined sequences of steps. Use the built-in ones or define your own.',
  Runs: 'Executions of workflows. Start a run, follow its steps, approve or reject them, pause, cancel or retry it.',
  Webhooks:
    'Addresses that receive events as signed POSTs. A delivery can arrive more than once and in any order: deduplicate by `webhook-id`, and verify the signature.',
  'Webhook events': 'What the service sends to the addresses of webhooks: implement what you subscribe to.',
  Events: 'What happened, as a list and as a stream.',
  Integrations: 'Connected third-party systems: task-management platforms, source hosts, chat workspaces.',
  Analytics: 'How tasks and agents perform.',
  'Received webhooks':
    'Addresses for the webhooks of connected systems. The sender signs each body with the secret of its integration.',
  OAuth: 'The authorization server: how a program gets a token that acts on behalf of a person.',
  Administration: 'API keys, OAuth clients, users, sessions, saved views and the audit log.',
};
