import type { DeliveryResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { deliveryResource } from '../reading/delivery.ts';
import { findDelivery } from '../reading/delivery.read-model.ts';
import { lockDelivery, type StoredDelivery, setDueAgain } from './resend.store.ts';

/**
 * Makes a delivery due at once, whatever its state. Throws not_found; conflict `state` while it is being sent, and when
 * its endpoint is disabled or deleted or its event is gone.
 */
export async function resendDelivery(ctx: UseCaseContext, id: string): Promise<DeliveryResource> {
  return ctx.inTransaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound();
    const obstacle = obstacleOf(delivery);
    if (obstacle) throw new AppError('conflict', { field: 'status', constraint: 'state', message: obstacle });
    await setDueAgain(tx, delivery);
    const resent = await findDelivery(tx, id);
    if (!resent) throw notFound();
    return deliveryResource(resent);
  });
}

const notFound = () => new AppError('not_found', { message: 'The delivery does not exist.' });

function obstacleOf({ isOpen, hasEvent, isSending }: StoredDelivery): string | undefined {
  if (!isOpen) return 'The webhook is disabled or deleted, so its deliveries cannot be sent again.';
  if (!hasEvent) return 'The event is no longer stored, so the delivery cannot be sent again.';
  if (isSending) return 'The delivery is being sent right now. Try again in 30 seconds.';
  return undefined;
}
