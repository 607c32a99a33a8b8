import { findCallerNames } from '@eas/access';
import type { NameResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findIntegrationNames } from '@eas/integrations';
import { findAgentNames } from '@eas/tasks';

/** The names of the users, keys, clients, agents and integrations with these IDs. */
export async function listNames(ctx: UseCaseContext, ids: readonly string[]): Promise<NameResource[]> {
  const found = [findCallerNames(ctx, ids), findAgentNames(ctx, ids), findIntegrationNames(ctx, ids)];
  return (await Promise.all(found)).flat();
}
