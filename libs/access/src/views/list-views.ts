import type { ViewResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { viewsOf } from './view.store.ts';

/** What the caller saved, by kind and name. */
export const listViews = (ctx: UseCaseContext): Promise<ViewResource[]> => viewsOf(ctx, ctx.actor.id);
