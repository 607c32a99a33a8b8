import type { InputFilter, InputResource, Page, PageOfItems, Scope } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { agentOfReader } from './input-reader.ts';
import { toInputResource } from '../records/inputs/input.ts';
import { pageInputs } from './input.read-model.ts';

/** A page of inputs and the number of all that match; an agent without tasks:read sees its own. */
export async function listInputs(
  ctx: UseCaseContext,
  { scopes, filter }: { scopes: readonly Scope[]; filter: InputFilter },
  page: Page,
): Promise<PageOfItems<InputResource>> {
  const agentId = agentOfReader(ctx.actor, scopes);
  const { items, ...rest } = await pageInputs(ctx, { agentId, filter }, page);
  return { items: items.map(toInputResource), ...rest };
}
