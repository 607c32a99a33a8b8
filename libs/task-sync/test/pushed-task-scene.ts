import type { Acceptance, CreateIntegrationBody, NewArtifact, Repository } from '@eas/contracts';
import { contextInTransaction, takePendingEvents, type UseCaseContext } from '@eas/db';
import {
  attachArtifact,
  completeTask,
  createAgent,
  createProject,
  createTask,
  createWaitingClaims,
  getTask,
  waitForClaim,
} from '@eas/tasks';
import { ignoredSightings, type useTestDatabase } from '@eas/testing';
import { createIntegration } from '@eas/integrations';
import { wantPullRequests } from '@eas/source-host';

type TestDatabase = Pick<ReturnType<typeof useTestDatabase>, 'context' | 'createTenant' | 'database'>;
type GithubBody = Extract<CreateIntegrationBody, { type: 'github' }>;

const everything = { vetUrl: () => ({ isAllowed: true }) as const };
const settings = { setup: null, copy_files: [], checks: [] };

/** A tenant with a source host and a project, whose agent pushes the branches of its tasks. */
export async function pushedTaskScene(
  test: TestDatabase,
  {
    integration = {},
    repositories = ['https://code.example/acme/web.git'],
    maxReworkRounds = 3,
  }: { integration?: Partial<GithubBody>; repositories?: string[]; maxReworkRounds?: number } = {},
) {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId });
  const secret = `a secret of ${tenantId}`;
  const connect = async (over: Partial<GithubBody> = {}) => {
    const body = { type: 'github', org_name: 'Acme', secret, token: 'ghp_token', ...over } as const;
    return (await createIntegration(ctx, body)).integration.id;
  };
  const integrationId = await connect(integration);
  const listed = repositories.map((url): Repository => ({ url, base_branch: 'main', ...settings }));
  const fields = { description: null, repositories: listed, defaults: {}, max_rework_rounds: maxReworkRounds };
  const body = { name: 'Web', ...fields };
  const project = (await createProject(ctx, body, everything)).body.id;
  const agentId = (await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 })).id;
  const asAgent = test.context({ tenantId, actor: { id: agentId, agentId } });

  const waitingClaims = createWaitingClaims(test.database.listener, new AbortController().signal, ignoredSightings);
  const newTask = async (contract?: Acceptance) => {
    const draft = { title: 'Limit logins', description: 'Five.', priority: 'medium', due_date: null } as const;
    const assigned = { assigned_role: 'rd', assigned_agent: null, tags: [], metadata: {}, project };
    return (await createTask(ctx, { ...draft, ...assigned, ...(contract ? { contract } : {}) })).id;
  };

  async function claimed(agent = { ctx: asAgent, agentId }) {
    const claim = await waitForClaim(agent.ctx, waitingClaims, { agentId: agent.agentId, waitMs: 0 });
    if (!claim) throw new Error('nothing was claimed');
    return claim.body;
  }

  /** One attempt: claims the task, attaches what was made, completes. */
  async function work(artifacts: readonly NewArtifact[], summary = 'Five a minute.'): Promise<void> {
    const { lease_id: leaseId, fencing_token } = (await claimed()).lease;
    for (const artifact of artifacts) await attachArtifact(asAgent, { leaseId, body: { fencing_token, ...artifact } });
    await completeTask(asAgent, { leaseId, body: { fencing_token, summary } });
  }

  /** Does what the consumer owes. */
  async function consume(host = 'code.example'): Promise<void> {
    const sql = `SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = 'pull_request.open' ORDER BY event_id`;
    const owed = await test.database.db.query<{ id: string }>(sql, [tenantId]);
    const ids = owed.map(({ id }) => id);
    await test.database.inTransaction(tenantId, async (tx) => {
      const events = await takePendingEvents(tx, 'pull_request.open', ids);
      await wantPullRequests(contextInTransaction(ctx, tx), events, host);
    });
  }

  const shown = async (taskId: string) => (await getTask(ctx, taskId)).body;
  const its = { tenantId, ctx: ctx as UseCaseContext, secret, integrationId, agentId, asAgent };
  return { ...its, connect, newTask, claimed, work, consume, shown };
}

/** What a runner attaches of a branch that it pushed. */
export function pushedBranch(
  taskId: string,
  { sha = 'sha-1', over = {} }: { sha?: string; over?: Record<string, unknown> } = {},
): NewArtifact[] {
  const repository = 'https://code.example/acme/web.git';
  const data = { repository, base_branch: 'main', branch: `task/${taskId}`, commits: 1, pushed: true, ...over };
  const checks = [{ name: 'tests', passed: true }, { name: 'lint', passed: false }, 'no check'];
  return [
    { kind: 'branch', title: `web: task/${taskId} at ${sha}`, sha, data },
    { kind: 'diff', title: `web at ${sha}`, sha, data: { repository, files_changed: 3, insertions: 40, deletions: 2 } },
    { kind: 'test_report', title: `checks at ${sha}`, sha, data: { repository, checks } },
  ];
}
