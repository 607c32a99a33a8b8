import type { Page, PageOfItems, PolicyResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { noSuchPolicy, type ShownPolicy, shownPolicy, toPolicyResource } from './policy.ts';
import { pagePolicies, type PolicyFilter } from './policy-list.read-model.ts';
import { findPolicy } from './policy.store.ts';

/** One policy. Throws not_found. */
export async function getPolicy(ctx: UseCaseContext, policyId: string): Promise<ShownPolicy> {
  const policy = await findPolicy(ctx, policyId);
  if (!policy) throw noSuchPolicy();
  return shownPolicy(policy);
}

export async function listPolicies(
  ctx: UseCaseContext,
  filter: PolicyFilter,
  page: Page,
): Promise<PageOfItems<PolicyResource>> {
  const { items, ...rest } = await pagePolicies(ctx, filter, page);
  return { items: items.map(toPolicyResource), ...rest };
}
