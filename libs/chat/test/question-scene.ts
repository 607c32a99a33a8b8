import type { AskInputBody } from '@eas/contracts';
import { contextInTransaction, takePendingEvents, type UseCaseContext } from '@eas/db';
import { askInput, createAgent, createTask, createWaitingClaims, waitForClaim } from '@eas/tasks';
import { ignoredSightings, leavePublicEvents, type useTestDatabase } from '@eas/testing';
import { followQuestions, queueChatMessages } from '../src/index.ts';

export type Asking = Pick<AskInputBody, 'kind'> & Partial<Omit<AskInputBody, 'fencing_token'>>;

/** A new agent that has claimed a new task and asks a question, a blocking one unless it says otherwise. */
export async function askQuestion(
  test: Pick<ReturnType<typeof useTestDatabase>, 'context' | 'database'>,
  ctx: UseCaseContext,
  question: Asking,
) {
  const agent = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  const asAgent = test.context({ tenantId: ctx.tenantId, actor: { id: agent.id, agentId: agent.id } });
  const task = await createTask(ctx, newTask);
  const waitingClaims = createWaitingClaims(test.database.listener, new AbortController().signal, ignoredSightings);
  const claim = await waitForClaim(asAgent, waitingClaims, { agentId: agent.id, waitMs: 0 });
  if (!claim) throw new Error('nothing was claimed');
  const { lease_id: leaseId, fencing_token: token } = claim.body.lease;
  const unchanged = {
    fencing_token: token,
    prompt: 'How many?',
    options: [],
    blocking: true,
    expires_in_seconds: 3_600,
  };
  const ask = async (asking: Asking) =>
    (await askInput(asAgent, { leaseId, body: { ...unchanged, ...asking } })).input.id;
  return { asAgent, agentId: agent.id, leaseId, token, taskId: task.id, ask, inputId: await ask(question) };
}

const newTask = {
  title: 'Fix the login',
  description: 'It fails.',
  priority: 'medium' as const,
  due_date: null,
  assigned_role: 'rd',
  assigned_agent: null,
  tags: [],
  metadata: {},
};

/** Does what the consumers owe: the events of the tenant become messages. */
export async function consumeChatEvents(ctx: UseCaseContext): Promise<void> {
  await leavePublicEvents(ctx, 'event.fan_out');
  for (const consumer of ['event.fan_out', 'chat.question'] as const)
    await ctx.inTransaction(async (tx) => {
      const sql = 'SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = $2 ORDER BY event_id';
      const rows = await tx.db.query<{ id: string }>(sql, [ctx.tenantId, consumer]);
      const ids = rows.map(({ id }) => id);
      const events = await takePendingEvents(tx, consumer, ids);
      const handle = consumer === 'event.fan_out' ? queueChatMessages : followQuestions;
      await handle(contextInTransaction(ctx, tx), events);
    });
}
