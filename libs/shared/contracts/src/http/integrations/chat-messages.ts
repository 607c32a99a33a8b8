import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const chatMessageKinds = ['post', 'edit'] as const;
export const chatMessageStates = ['pending', 'posted', 'failed', 'skipped', 'expired'] as const;

const chatMessage = z
  .object({
    id: idOf('ID of the message.'),
    integration_id: idOf('The integration that posts it.'),
    event_id: idOf('The event that it is about.'),
    event_type: z.string().max(64).describe('Type of the event; `task.asked` for a question of an agent.'),
    channel: z.string().max(200).nullable().describe('The channel. null: the one of the incoming webhook.'),
    kind: z
      .enum(chatMessageKinds)
      .describe('post: a message; edit: the change of the message after its question was answered.'),
    state: z
      .enum(chatMessageStates)
      .describe(
        'pending: it waits; posted: the chat accepted it; failed: the chat refused it, or the last attempt failed; skipped: the channel had too many; expired: it could not be posted for 24 hours.',
      ),
    attempts: z
      .int()
      .min(0)
      .max(1_000)
      .describe('Number of attempts that the chat answered with an error, or accepted.'),
    next_attempt_at: timestampOutput.nullable().describe('When it is posted at the earliest. null: it is settled.'),
    last_error: z
      .string()
      .max(64)
      .nullable()
      .describe('A word for programs: the last error of the chat, or why it was not posted.'),
    detail: z.string().max(1_000).nullable().describe('The last error for people.'),
    input_id: idOf('The input that it asks about. null: none.').nullable(),
    created_at: timestampOutput.describe('When it was created.'),
    settled_at: timestampOutput.nullable().describe('When it was posted or given up.'),
  })
  .meta({
    id: 'ChatMessage',
    description: 'An event that is posted to a channel of a chat workspace.',
    example: {
      id: exampleId('msg'),
      integration_id: exampleId('int'),
      event_id: exampleId('evt'),
      event_type: 'task.completed',
      channel: 'C024BE91L',
      kind: 'post',
      state: 'posted',
      attempts: 1,
      next_attempt_at: null,
      last_error: null,
      detail: null,
      input_id: null,
      created_at: exampleTime,
      settled_at: exampleTime,
    },
  });
export type ChatMessageView = z.infer<typeof chatMessage>;

const text = z.string().max(200);

export const chatMessageListQuery = listQuery({
  sortable: [
    'created_at',
    'id',
    'event_id',
    'event_type',
    'channel',
    'kind',
    'state',
    'attempts',
    'next_attempt_at',
    'last_error',
    'input_id',
    'settled_at',
  ],
  filters: {
    id: text,
    event_id: text,
    event_type: text,
    channel: text,
    kind: z.enum(chatMessageKinds),
    state: z.enum(chatMessageStates),
    attempts: wholeNumberInput(0, 1_000),
    next_attempt_at: timestampInput,
    last_error: text,
    input_id: text,
    created_at: timestampInput,
    settled_at: timestampInput,
  },
});
export type ChatMessageListQuery = z.output<typeof chatMessageListQuery>;

export const chatMessageList = listResponse(chatMessage);
