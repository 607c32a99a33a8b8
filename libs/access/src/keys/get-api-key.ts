import type { KeyResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { findKey } from './api-key.read-model.ts';
import { keyResource } from './key-resource.ts';

/** One key, also when it is revoked; throws not_found. */
export async function getApiKey(ctx: UseCaseContext, id: string): Promise<{ body: KeyResource; version: number }> {
  const row = await findKey(ctx, id);
  if (!row) throw new AppError('not_found');
  return { body: keyResource(row, ctx.clock.now()), version: row.version };
}
