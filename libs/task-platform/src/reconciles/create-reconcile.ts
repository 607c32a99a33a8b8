import { addJob } from '@eas/bulk-jobs';
import type { CreateReconcileBody, ReconcileResource } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { wantCalls } from '@eas/platform-calls';
import { findIntegration, noIntegration, readInboundRules } from '@eas/integrations';
import { pageCallOf, reconcileKind, reconcileResource } from './reconcile.ts';

const longestMs = 366 * 24 * 3_600_000;

/**
 * Starts comparing what the platform changed with our tasks. Throws not_found, invalid_input for a range that is empty or
 * too long and for an integration that cannot be called, conflict `limit` when one is running.
 */
export async function createReconcile(
  ctx: UseCaseContext,
  { integrationId, body: { since, until } }: { integrationId: string; body: CreateReconcileBody },
): Promise<ReconcileResource> {
  return ctx.inTransaction(async (tx) => {
    const integration = await findIntegration(tx, integrationId);
    if (!integration) throw noIntegration();
    const createdAt = ctx.clock.now();
    if (integration.status === 'disconnected') refuse('status', 'enum', 'is disconnected: switch the integration on');
    const isCallable = (await readInboundRules(tx, [integrationId])).get(integrationId)?.isCallable === true;
    if (integration.type !== 'taskplatform' || !isCallable)
      refuse('token', 'required', 'is not set: without it the platform cannot be called');
    if (since > createdAt) refuse('since', 'max', 'must not be in the future');
    if (createdAt.getTime() - since.getTime() > longestMs) refuse('since', 'min', 'must be at most a year ago');
    if (until && until <= since) refuse('until', 'min', 'must be later than since');
    const start = { integrationId, since, until: until ?? null, createdBy: ctx.actor.id, createdAt };
    const row = await addJob(tx, reconcileKind, { ...start, ...nothingRead });
    await wantCalls(tx, [{ ...pageCallOf(row), payload: {} }]);
    return reconcileResource(row);
  });
}

const nothingRead = { cursor: {}, seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, lastError: null };

function refuse(field: string, constraint: Violation['constraint'], message: string): never {
  throw new AppError('invalid_input', { violations: [{ field, constraint, message }] });
}
