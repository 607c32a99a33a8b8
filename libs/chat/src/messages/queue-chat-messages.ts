import { type EventType, type StoredEvent, subscriptionsOf } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { webhookChannel } from './chat-message.ts';
import { insertChatMessages, type NewChatMessage } from './chat-message.store.ts';
import { type ChatSubscriber, listChatSubscribers } from './chat-subscriber.read-model.ts';

/** More rows are not held at a time, however many channels there are. */
const writtenTogether = 2_500;

type QueuedEvent = Pick<StoredEvent, 'eventId' | 'type'> & { data: Readonly<Record<string, unknown>> };

/** Makes a message for each of the events and each channel of the workspaces that want it. In a transaction. */
export async function queueChatMessages(ctx: UseCaseContext, events: readonly QueuedEvent[]): Promise<void> {
  const types = [...new Set(events.map(({ type }) => type))];
  const subscribers = await listChatSubscribers(ctx, [...new Set(types.flatMap(wantedBy))]);
  let unwritten: NewChatMessage[] = [];
  let skipped = 0;
  const targets = subscribers.flatMap((one) => channelsOf(one).map((channel) => ({ subscriber: one, channel })));
  for (const [index, { subscriber, channel }] of targets.entries()) {
    unwritten.push(...messagesFor(subscriber, channel, events));
    if (unwritten.length === 0 || (unwritten.length < writtenTogether && index < targets.length - 1)) continue;
    skipped += await insertChatMessages(ctx, unwritten);
    unwritten = [];
  }
  if (skipped > 0) ctx.logger.warn({ tenantId: ctx.tenantId, skipped }, 'chat messages left out, channels are full');
}

/**
 * Questions are posted when they are asked, also to channels that want those that block a task: not again when it is
 * blocked, and their answers change the message that they have.
 */
const wantedBy = (type: EventType): string[] => {
  if (type === 'task.blocked' || type === 'task.answered') return [];
  return type === 'task.asked' ? [type, ...subscriptionsOf('task.blocked')] : subscriptionsOf(type);
};

/** With a token the named channels, else the one that the incoming webhook has. */
export function channelsOf({ channels, hasToken, hasUrl }: Omit<ChatSubscriber, 'id' | 'events'>): string[] {
  if (hasToken && channels.length > 0) return [...new Set(channels)];
  return hasUrl ? [webhookChannel] : [];
}

function messagesFor(
  { id: integrationId, events: subscriptions }: ChatSubscriber,
  channel: string,
  events: readonly QueuedEvent[],
): NewChatMessage[] {
  const isWanted = ({ type }: QueuedEvent) => wantedBy(type).some((name) => subscriptions.includes(name));
  return events.filter(isWanted).map(({ eventId, type, data }) => ({
    id: newId('chatMessage'),
    integrationId,
    eventId,
    eventType: type,
    channel,
    inputId: type === 'task.asked' && typeof data['input_id'] === 'string' ? data['input_id'] : null,
  }));
}
