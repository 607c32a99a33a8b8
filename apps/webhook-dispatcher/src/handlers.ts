import { followQuestions, queueChatMessages } from '@eas/chat';
import { consumeEvents, type Handlers } from '@eas/queue';
import { type DeliverySending, fanOut, sendDeliveries } from '@eas/webhooks';

export const webhookHandlers = (sending: DeliverySending): Handlers<'webhooks'> => ({
  'event.fan_out': consumeEvents('event.fan_out', async (ctx, events) => {
    const fanned = await fanOut(ctx, events, sending.slots?.leftBehind);
    await queueChatMessages(ctx, events);
    return fanned;
  }),
  'chat.question': consumeEvents('chat.question', followQuestions),
  'delivery.send': (ctx, payload) => sendDeliveries(ctx, payload, sending),
});
