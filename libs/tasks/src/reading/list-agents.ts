import type { AgentResource, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toAgentResource } from '../records/agents/agent.ts';
import { type AgentFilter, pageAgents } from './agent.read-model.ts';

export async function listAgents(
  ctx: UseCaseContext,
  filter: AgentFilter,
  page: Page,
): Promise<PageOfItems<AgentResource>> {
  const { items, ...rest } = await pageAgents(ctx, filter, page);
  return { items: items.map(toAgentResource), ...rest };
}
