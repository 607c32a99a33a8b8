import type { Scenario } from '../harness/bench.ts';
import { measureAgainstLimit } from '../harness/against-limit.ts';

const task = {
  title: 'Add rate limiting to the login endpoint',
  description: 'Five failed attempts a minute per address, then 429 with Retry-After.',
  priority: 'high',
  assigned_role: 'rd',
  due_date: '2030-06-30T17:00:00Z',
  tags: ['security', 'backend'],
  metadata: { ticket_id: 'ENG-1234', repository: 'acme/web' },
};

export const scenario: Scenario = {
  name: 'create-task',
  about: 'POST /v1/tasks: task, timeline, event and outbox rows committed before the 201',
  run: (bench) =>
    measureAgainstLimit(bench, {
      app: 'api-gateway',
      path: '/v1/tasks',
      headers: { 'x-api-key': bench.apps.apiKey },
      body: { kind: 'plain', text: JSON.stringify(task) },
    }),
};
