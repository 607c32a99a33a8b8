import { maxProfileVersions, type ProfileSettings } from '@eas/contracts';
import { assertBelowLimit, type DbScope, lockRow, type Prisma, type Tx } from '@eas/db';
import { type Holder, holderNames, holdersIn } from '../holders.ts';
import type { Profile } from './profile.ts';

type Row = Omit<Profile, 'roles' | 'agents' | 'settings'> & { settings: unknown };
const holders = { select: { holder: true } } as const;
export const headFields = {
  id: true,
  name: true,
  description: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const;

export async function findProfile({ db, tenantId }: DbScope, id: string): Promise<Profile | undefined> {
  const select = { ...headFields, settings: true, holders };
  const row = await db.prisma.profile.findFirst({ where: { tenantId, id }, select });
  return row ? profileOf(row) : undefined;
}

function profileOf({ holders: own, settings, ...row }: Row & { holders: Holder[] }): Profile {
  return { ...row, settings: settingsOf(settings), ...holdersIn(own) };
}

const none: Pick<ProfileSettings, 'permission_rules' | 'budgets'> = { permission_rules: [], budgets: [] };
/** Those that an earlier version has written have no rules and no budgets. */
export const settingsOf = (settings: unknown): ProfileSettings => ({
  ...none,
  ...(settings as Omit<ProfileSettings, keyof typeof none> & Partial<typeof none>),
});

/** Locks a profile until the transaction ends. */
export async function lockProfile(scope: DbScope, id: string): Promise<Profile | undefined> {
  await lockRow(scope, 'profiles', id);
  return findProfile(scope, id);
}

/** That of the agent, else that of its role. */
export async function findProfileOf(
  { db, tenantId }: DbScope,
  { agentId, role }: { agentId: string; role: string },
): Promise<Profile | undefined> {
  const where = { tenantId, holder: { in: holderNames({ roles: [role], agents: [agentId] }) } };
  const select = { holder: true, profile: { select: { ...headFields, settings: true, holders } } };
  const found = await db.prisma.profileHolder.findMany({ where, select, orderBy: { holder: 'asc' } });
  // `agent:` comes before `role:`.
  return found[0] && profileOf(found[0].profile);
}

/** Throws conflict `limit` when the tenant has `max` profiles already. */
export const assertBelowProfileLimit = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'profiles', max, () => tx.db.prisma.profile.count({ where: { tenantId: tx.tenantId } }));

/** Inserts a profile whose name and holders are free. */
export async function insertProfile(tx: Tx, profile: Profile, by: string): Promise<void> {
  const { db, tenantId } = tx;
  await db.prisma.profile.create({ data: { ...dataOf(profile), tenantId } });
  await insertHolders(tx, profile);
  await insertVersion(tx, profile, by);
}

/** Writes a locked profile back; `by`: who changed its settings, where these are new. */
export async function updateProfile(tx: Tx, profile: Profile, by: string | undefined): Promise<void> {
  const { db, tenantId } = tx;
  const { id } = profile;
  await db.prisma.profile.update({ where: { tenantId_id: { tenantId, id } }, data: dataOf(profile) });
  await db.prisma.profileHolder.deleteMany({ where: { tenantId, profileId: id } });
  await insertHolders(tx, profile);
  if (by !== undefined) await insertVersion(tx, profile, by);
}

/** With its versions; its roles and agents have none any more. */
export async function deleteProfile({ db, tenantId }: Tx, id: string): Promise<void> {
  await db.prisma.profile.delete({ where: { tenantId_id: { tenantId, id } } });
}

async function insertHolders({ db, tenantId }: Tx, profile: Profile): Promise<void> {
  const data = holderNames(profile).map((holder) => ({ tenantId, holder, profileId: profile.id }));
  if (data.length > 0) await db.prisma.profileHolder.createMany({ data });
}

/** The newest stay. */
async function insertVersion({ db, tenantId }: Tx, profile: Profile, createdBy: string): Promise<void> {
  const { id: profileId, version, settings, updatedAt: createdAt } = profile;
  const data = { tenantId, profileId, version, settings: asJson(settings), createdAt, createdBy };
  await db.prisma.profileVersion.create({ data });
  const where = { tenantId, profileId };
  const old = await db.prisma.profileVersion.findMany({
    where,
    select: { version: true },
    orderBy: { version: 'desc' },
    skip: maxProfileVersions,
  });
  const versions = old.map((row) => row.version);
  if (versions.length > 0)
    await db.prisma.profileVersion.deleteMany({ where: { ...where, version: { in: versions } } });
}

// Keys are those of the contract: none that Prisma's client would change.
const asJson = (settings: ProfileSettings) => settings as unknown as Prisma.InputJsonObject;
const dataOf = ({ roles: _roles, agents: _agents, settings, ...head }: Profile) => ({
  ...head,
  settings: asJson(settings),
});
