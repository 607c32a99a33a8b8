import { isDeepStrictEqual } from 'node:util';
import { type ChangeProfileBody, isWithinSettings, type ProfileSettings } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noSuchProfile, type Profile, type ProfileChange, shownProfile } from '../../records/profiles/profile.ts';
import { assertIsFree } from '../../records/profiles/assert-free.store.ts';
import { lockProfile, updateProfile } from '../../records/profiles/profile.store.ts';
import { inOrder } from './create-profile.ts';
import { keepBudgets } from './keep-budgets.ts';

type Patch = { profileId: string; ifMatch?: readonly number[]; body: ChangeProfileBody };

/** A JSON merge patch; lists are replaced as a whole. Throws 404, 412, and what createProfile throws. */
export async function changeProfile(ctx: UseCaseContext, { profileId, ifMatch, body }: Patch): Promise<ProfileChange> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockProfile(tx, profileId);
    if (!before) throw noSuchProfile();
    assertVersion(before.version, ifMatch);
    const after = patched(before, body);
    if (isDeepStrictEqual(after, before)) return { ...shownProfile(before), isChanged: false };
    assertFits(after.settings);
    await assertIsFree(tx, after, before.agents);
    const changed = { ...after, version: before.version + 1, updatedAt: ctx.clock.now() };
    const hasSettings = !isDeepStrictEqual(after.settings, before.settings);
    await updateProfile(tx, changed, hasSettings ? ctx.actor.id : undefined);
    const budgets = { profileId, budgets: after.settings.budgets, at: changed.updatedAt };
    if (hasSettings) await keepBudgets(tx, budgets, ctx.limits.budgets);
    return { ...shownProfile(changed), isChanged: true };
  });
}

/** null gives a field what a profile has that was created without it. */
function patched(profile: Profile, { name, description, roles, agents, ...settings }: ChangeProfileBody): Profile {
  return {
    ...profile,
    name: name ?? profile.name,
    description: description === undefined ? profile.description : description,
    roles: roles === undefined ? profile.roles : inOrder(roles ?? []),
    agents: agents === undefined ? profile.agents : inOrder(agents ?? []),
    settings: patchedSettings(profile.settings, settings),
  };
}

function patchedSettings(settings: ProfileSettings, patch: Partial<Nullable<ProfileSettings>>): ProfileSettings {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const isList = (key: string) => Array.isArray(settings[key as keyof ProfileSettings]);
  const reset = given.map(([key, value]) => [key, value === null && isList(key) ? [] : value]);
  return { ...settings, ...Object.fromEntries(reset) };
}

type Nullable<T> = { [K in keyof T]: T[K] | null | undefined };

function assertFits(settings: ProfileSettings): void {
  const [fits, { params, message }] = isWithinSettings;
  if (fits(settings)) return;
  const violation = { field: 'body', constraint: params.constraint, message } as const;
  throw new AppError('invalid_input', { violations: [violation] });
}
