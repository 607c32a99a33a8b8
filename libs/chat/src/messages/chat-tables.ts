import type { DestinationTable, MessageTable } from '@eas/outbound';
import type { ChatMessage } from './chat-message.ts';

/** Where one message at a time is posted. `skipped`: messages left out that no posted one has reported yet. */
export type ChatChannel = Pick<ChatMessage, 'integrationId' | 'channel'> & { failures: number; skipped: number };

/** What posting needs of a message. `responseUrl` is sealed. */
export type ChatPost = Pick<ChatMessage, 'id' | 'eventId' | 'eventType' | 'kind' | 'inputId'> & {
  postedChannel: string | null;
  postedTs: string | null;
  responseUrl: string | null;
};

export const chatChannels: DestinationTable = {
  table: 'chat_channels',
  key: ['integrationId', 'channel'],
  own: ['failures', 'skipped'],
  dueAt: 'wake_at',
  restUntil: 'next_post_at',
  fence: 'claims',
  stoppedBy: 'stopped_reason',
  initial: { next_post_at: 'app_now()' },
};

export const chatMessages: MessageTable = {
  table: 'chat_messages',
  key: ['id'],
  own: ['eventId', 'eventType', 'kind', 'inputId', 'postedChannel', 'postedTs', 'responseUrl'],
  states: { waiting: 'pending', sent: 'posted' },
  dueAt: 'next_attempt_at',
  settledAt: 'settled_at',
  order: `kind = 'edit' DESC, event_id`,
};
