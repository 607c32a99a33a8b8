import { revokeAgentKeys } from '@eas/access';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { removeAgent as removeFromTasks } from '@eas/tasks';

/** Removes an agent and revokes its keys, both or none. Throws 404 and 412. */
export async function removeAgent(
  ctx: UseCaseContext,
  agent: { agentId: string; ifMatch?: readonly number[] },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const inner = contextInTransaction(ctx, tx);
    await removeFromTasks(inner, agent);
    await revokeAgentKeys(inner, agent.agentId);
  });
}
