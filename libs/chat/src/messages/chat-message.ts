import type { ChatMessageView } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { sentenceOf } from './chat-reasons.ts';

/** Channel of messages that an incoming webhook takes: its address knows it. */
export const webhookChannel = '';

/** Waiting messages that a channel keeps: older ones are left out. Questions go last. */
export const maxWaiting = 200;
/** After that it is too old to be of use. */
export const maxAgeHours = 24;

export type ChatMessage = {
  id: string;
  integrationId: string;
  eventId: string;
  eventType: string;
  channel: string;
  kind: ChatMessageView['kind'];
  state: ChatMessageView['state'];
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  settledAt: Date | null;
  lastError: string | null;
  inputId: string | null;
};

export const chatMessageResource = (message: ChatMessage): ChatMessageView => ({
  id: message.id,
  integration_id: message.integrationId,
  event_id: message.eventId,
  event_type: message.eventType,
  channel: message.channel === webhookChannel ? null : message.channel,
  kind: message.kind,
  state: message.state,
  attempts: message.attempts,
  next_attempt_at: message.nextAttemptAt && formatTimestamp(message.nextAttemptAt),
  last_error: message.lastError,
  detail: message.lastError && sentenceOf(message.lastError),
  input_id: message.inputId,
  created_at: formatTimestamp(message.createdAt),
  settled_at: message.settledAt && formatTimestamp(message.settledAt),
});
