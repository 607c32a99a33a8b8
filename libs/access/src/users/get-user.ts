import type { UserResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { userResource } from './user.ts';
import { findUser } from './user.read-model.ts';

/** One person; throws not_found. */
export async function getUser(ctx: UseCaseContext, id: string): Promise<{ body: UserResource; version: number }> {
  const user = await findUser(ctx, id);
  if (!user) throw new AppError('not_found');
  return { body: userResource(user), version: user.version };
}
