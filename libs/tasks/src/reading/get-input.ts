import type { InputResource, Scope } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { agentOfReader } from './input-reader.ts';
import { toInputResource } from '../records/inputs/input.ts';
import { findInput } from './input.read-model.ts';

/** One input; 404 when the tenant has none of that id, and for an agent without tasks:read when it asked another one. */
export async function getInput(
  ctx: UseCaseContext,
  { inputId, scopes }: { inputId: string; scopes: readonly Scope[] },
): Promise<InputResource> {
  const input = await findInput(ctx, inputId);
  const agentId = agentOfReader(ctx.actor, scopes);
  if (!input || (agentId !== undefined && input.agentId !== agentId)) throw noSuchInput();
  return toInputResource(input);
}

export function noSuchInput(): AppError {
  return new AppError('not_found', { message: 'The input does not exist.' });
}
