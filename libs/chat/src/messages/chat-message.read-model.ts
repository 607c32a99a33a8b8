import { type ChatMessageListQuery, chatMessageStates, type Page, type PageOfItems } from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, type ListSource, within } from '@eas/db';
import type { ChatMessage } from './chat-message.ts';

const source: ListSource = {
  from: 'chat_messages',
  columns: `
    id, integration_id AS "integrationId", event_id AS "eventId", event_type AS "eventType", channel, kind, state,
    attempts, next_attempt_at AS "nextAttemptAt", created_at AS "createdAt", settled_at AS "settledAt",
    last_error AS "lastError", input_id AS "inputId"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    event_id: { sql: 'event_id', type: 'text' },
    event_type: { sql: 'event_type', type: 'text' },
    channel: { sql: `nullif(channel, '')`, type: 'text', isNullable: true },
    kind: { sql: 'kind', type: 'text' },
    state: { sql: 'state', type: 'text', order: chatMessageStates },
    attempts: { sql: 'attempts', type: 'int' },
    next_attempt_at: { sql: 'next_attempt_at', type: 'timestamptz', isNullable: true },
    last_error: { sql: 'last_error', type: 'text', isNullable: true },
    input_id: { sql: 'input_id', type: 'text', isNullable: true },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    settled_at: { sql: 'settled_at', type: 'timestamptz', isNullable: true },
  },
};

export type ChatMessageFilter = Omit<ChatMessageListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export function pageChatMessages(
  scope: DbScope,
  integrationId: string,
  filter: ChatMessageFilter,
  page: Page,
): Promise<PageOfItems<ChatMessage>> {
  const own = within(equals('integration_id', integrationId));
  return fetchPage<ChatMessage>(scope, source, [own, ...equalFields(source, filter)], page);
}
