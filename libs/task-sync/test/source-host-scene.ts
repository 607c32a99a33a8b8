import type { CreateIntegrationBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { createTask, getTask, listTimeline } from '@eas/tasks';
import type { inboundScene } from './inbound-scene.ts';

type TestDatabase = Parameters<typeof inboundScene>[0] & { createTenant(): Promise<string> };
export type Sent = [event: string, body: object];

const draft = {
  description: 'x',
  priority: 'medium',
  due_date: null,
  assigned_role: null,
  assigned_agent: null,
} as const;

/** A tenant with a connected source host, and the tools to see what came of what it sends. */
export async function sourceHostScene(
  test: TestDatabase,
  scene: ReturnType<typeof inboundScene>,
  settings: Partial<Extract<CreateIntegrationBody, { type: 'github' }>> = {},
) {
  const tenantId = await test.createTenant();
  const secret = `a secret of sixteen ${tenantId}`;
  const body = { type: 'github', org_name: 'codertocat', secret, ...settings } as const;
  const { integration } = await scene.connect(tenantId, body);
  const ctx: UseCaseContext = test.context({ tenantId });
  const query = <R extends object>(sql: string, ...values: unknown[]) =>
    test.database.db.query<R>(sql, [tenantId, ...values]);
  return {
    tenantId,
    integration,
    ctx,
    send: (event: string, sent: object) => scene.sendSourceHost(event, sent, { secret, to: integration.id }),
    async play(sent: readonly Sent[], options?: { oneByOne?: boolean }) {
      for (const [event, one] of sent) await scene.sendSourceHost(event, one, { secret, to: integration.id });
      await scene.apply(tenantId, options);
    },
    newTask: async (metadata: Record<string, string> = {}) =>
      (await createTask(ctx, { title: 'task', ...draft, tags: [], metadata })).id,
    task: async (id: string) => (await getTask(ctx, id)).body,
    async timeline(id: string) {
      const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'seq', isDescending: false } };
      const { items } = await listTimeline(ctx, id, {}, page);
      return items.map(({ id: _id, seq: _seq, timestamp: _at, actor: _actor, ...item }) => item);
    },
    /** Published events of pull requests, without what is the same in all of them. */
    async events() {
      const rows = await query<{ type: string; data: Record<string, unknown> }>(
        `SELECT event_type AS type, data FROM events WHERE tenant_id = $1 AND event_type LIKE 'pr.%' ORDER BY event_id`,
      );
      return rows.map(({ type, data: { repository: _repository, url: _url, author: _author, ...data } }) => ({
        type,
        ...data,
      }));
    },
    pullRequests: () =>
      query<Record<string, unknown>>(
        `SELECT number, state, title, branch, head_sha AS sha, task_id AS "taskId", checks FROM pull_requests
         WHERE tenant_id = $1 ORDER BY number`,
      ),
    outcomes: async () => (await scene.receipts(tenantId)).map(({ status, outcome }) => `${status}: ${outcome}`),
    query,
  };
}
