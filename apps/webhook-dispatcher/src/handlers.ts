import { consumeEvents, type Handlers } from '@eas/queue';
import { type DeliverySending, fanOut, sendDeliveries } from '@eas/webhooks';

export const webhookHandlers = (sending: DeliverySending): Handlers<'webhooks'> => ({
  'event.fan_out': consumeEvents('event.fan_out', (ctx, events) => fanOut(ctx, events, sending.slots?.leftBehind)),
  'delivery.send': (ctx, payload) => sendDeliveries(ctx, payload, sending),
});
