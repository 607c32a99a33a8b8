import type { UseCaseContext } from '@eas/db';
import { unsignedRef } from '@eas/receiving';

/** The context in which the sender acts: its integration, or the service itself for unsigned bodies. */
export function asSender(ctx: UseCaseContext, integrationRef: string): UseCaseContext {
  return integrationRef === unsignedRef ? ctx : { ...ctx, actor: { id: integrationRef } };
}
