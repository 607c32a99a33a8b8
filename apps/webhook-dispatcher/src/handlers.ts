import { followQuestions, queueChatMessages } from '@eas/chat';
import { consumeEvents, type EventHandler, type Handlers } from '@eas/queue';
import { type DeliverySending, fanOut, sendDeliveries } from '@eas/webhooks';

export const webhookHandlers = (sending: DeliverySending): Handlers<'webhooks'> => {
  const fanOutToAll: EventHandler = async (ctx, events) => {
    const fanned = await fanOut(ctx, events, sending.slots?.leftBehind);
    await queueChatMessages(ctx, events);
    return fanned;
  };
  return {
    'fan_out.follow': consumeEvents('fan_out.follow', fanOutToAll),
    'event.fan_out': consumeEvents('event.fan_out', fanOutToAll),
    'chat.question': consumeEvents('chat.question', followQuestions),
    'delivery.send': (ctx, payload) => sendDeliveries(ctx, payload, sending),
  };
};
