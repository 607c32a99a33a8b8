import { assertVersion } from '@eas/core';
import { requireActiveTenant, type Tx, type UseCaseContext } from '@eas/db';
import type { EndpointAction } from './delete-endpoint.ts';
import { type EndpointChange, noEndpoint, shown, type StoredEndpoint } from './endpoint.ts';
import { appendHealthEvent } from './endpoint-event.ts';
import { lockEndpoint, updateEndpoint } from './endpoint.store.ts';

const requested = 'requested';

/** Nothing is sent until the endpoint is enabled again. Throws not_found, 412. */
export function disableByHand(ctx: UseCaseContext, action: EndpointAction): Promise<EndpointChange> {
  return change(ctx, action, 'disabled', async (tx, before, at) => {
    const stopped = { status: 'disabled', statusReason: requested, statusChangedAt: at, probeAt: null, probes: 0 };
    const after = await updateEndpoint(tx, { ...before, ...stopped }, at);
    appendHealthEvent(tx, { type: 'webhook.disabled', endpoint: after, reason: requested, at });
    return after;
  });
}

/**
 * Deliveries start again, with the held ones; earlier failures no longer count. Throws not_found, 412, and forbidden
 * for a suspended tenant.
 */
export function enableByHand(ctx: UseCaseContext, action: EndpointAction): Promise<EndpointChange> {
  return change(ctx, action, 'active', async (tx, before, at) => {
    const health = { failuresInRow: 0, failingSince: null, probeAt: null, probes: 0 };
    const active = { ...before, ...health, status: 'active', statusReason: null, statusChangedAt: at };
    const after = await updateEndpoint(tx, active, at);
    const { failingSince, failuresInRow } = before;
    const endpoint = { ...after, failingSince, failuresInRow };
    if (before.status !== 'disabled')
      appendHealthEvent(tx, { type: 'webhook.recovered', endpoint, reason: requested, at });
    return after;
  });
}

type Change = (tx: Tx, before: StoredEndpoint, at: Date) => ReturnType<typeof updateEndpoint>;

async function change(
  ctx: UseCaseContext,
  { id, ifMatch }: EndpointAction,
  status: 'active' | 'disabled',
  write: Change,
): Promise<EndpointChange> {
  return ctx.inTransaction(async (tx) => {
    if (status === 'active') await requireActiveTenant(tx);
    const before = await lockEndpoint(tx, id);
    if (!before) throw noEndpoint();
    assertVersion(before.version, ifMatch);
    if (before.status === status) return { ...shown(before), isChanged: false };
    return { ...shown(await write(tx, before, ctx.clock.now())), isChanged: true };
  });
}
