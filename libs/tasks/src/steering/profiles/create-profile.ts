import type { CreateProfileBody, ProfileResource } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { shownProfile } from '../../records/profiles/profile.ts';
import { assertIsFree } from '../../records/profiles/assert-free.store.ts';
import { assertBelowProfileLimit, insertProfile } from '../../records/profiles/profile.store.ts';
import { keepBudgets } from './keep-budgets.ts';

/**
 * Makes a profile. Throws conflict `exists` for a name that is taken, and a role or agent that has another profile, conflict
 * `limit` when the tenant has too many, or too many budgets, and invalid_input for an agent that does not exist.
 */
export async function createProfile(
  ctx: UseCaseContext,
  body: CreateProfileBody,
): Promise<{ body: ProfileResource; version: number }> {
  const id = newId('profile', ctx.clock.now().getTime());
  const createdAt = new Date(idTimeMs(id));
  const { name, description, roles, agents, ...settings } = body;
  const head = { id, name, description, roles: inOrder(roles), agents: inOrder(agents) };
  const profile = { ...head, settings, version: 1, createdAt, updatedAt: createdAt };
  await ctx.inTransaction(async (tx) => {
    await assertBelowProfileLimit(tx, ctx.limits.profiles);
    await assertIsFree(tx, profile);
    await insertProfile(tx, profile, ctx.actor.id);
    await keepBudgets(tx, { profileId: id, budgets: settings.budgets, at: createdAt }, ctx.limits.budgets);
  });
  return shownProfile(profile);
}

/** Each once, as they are read again. */
export const inOrder = (names: readonly string[]): string[] => [...new Set(names)].sort();
