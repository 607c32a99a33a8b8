import type { PlatformCallsView } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { shown, type ShownIntegration } from './integration.ts';
import { noIntegration } from './integration-errors.ts';
import { type CallHealth, findCallHealth, findIntegration } from './integration.read-model.ts';

/** One integration, without its secrets. Throws not_found. */
export async function getIntegration(ctx: UseCaseContext, id: string): Promise<ShownIntegration> {
  const integration = await findIntegration(ctx, id);
  if (!integration) throw noIntegration();
  const { integration: view, version } = shown(integration);
  const calls = await findCallHealth(ctx, id);
  return { integration: calls ? { ...view, platform_calls: shownCalls(calls, ctx.clock.now()) } : view, version };
}

function shownCalls({ waiting, failed, pausedUntil, error }: CallHealth, now: Date): PlatformCallsView {
  const isPaused = pausedUntil !== null && pausedUntil > now;
  return { waiting, failed, paused_until: isPaused ? formatTimestamp(pausedUntil) : null, last_error: error };
}
