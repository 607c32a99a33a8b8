import { AppError, type Violation } from '@eas/core';
import { lockName, type Tx } from '@eas/db';
import { findKnownAgents } from '../agents/agent.store.ts';
import { holderNames, holdersIn } from '../holders.ts';
import type { ProfileHead } from './profile.ts';

/**
 * Throws conflict `exists` where another profile has the name, a role or an agent of this one, and invalid_input for an
 * agent that does not exist, unless the profile was `before` for it: agents are removed. It stays so until the transaction
 * ends.
 */
export async function assertIsFree(
  tx: Tx,
  { id, name, roles, agents }: ProfileHead,
  before: readonly string[] = [],
): Promise<void> {
  await lockName(tx, 'names and holders of profiles');
  const { db, tenantId } = tx;
  const where = { tenantId, NOT: { id } };
  if ((await db.prisma.profile.count({ where: { ...where, name } })) > 0) throw isTaken();
  const held = { tenantId, holder: { in: holderNames({ roles, agents }) }, NOT: { profileId: id } };
  const taken = await db.prisma.profileHolder.findFirst({ where: held, select: { holder: true, profileId: true } });
  if (taken) throw isHeld(taken);
  await assertAgentsExist(tx, agents, before);
}

function isTaken(): AppError {
  const message = 'name is already the name of another profile. Choose another name.';
  return new AppError('conflict', { field: 'name', constraint: 'exists', message });
}

function isHeld({ holder, profileId }: { holder: string; profileId: string }): AppError {
  const [role] = holdersIn([{ holder }]).roles;
  const [field, what] = role === undefined ? ['agents', 'The agent'] : ['roles', `The role ${role}`];
  const message = `${what} already has the profile ${profileId}. Take it off there first.`;
  return new AppError('conflict', { field, constraint: 'exists', message });
}

async function assertAgentsExist(tx: Tx, agents: readonly string[], before: readonly string[]): Promise<void> {
  const known = new Set([...before, ...(await findKnownAgents(tx, agents))]);
  const violations = agents.flatMap((id, index): Violation[] =>
    known.has(id) ? [] : [{ field: `agents.${index}`, constraint: 'exists', message: 'is not the ID of an agent' }],
  );
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
