// Documented bodies of webhook senders. inbound.ts reads them and accepts more, since senders change.
import { z } from 'zod';
import { inboundAccepted } from './inbound.ts';

const id = (of: string) => z.string().min(1).max(255).optional().describe(`ID of the ${of}.`);
const anyJson = z.unknown().optional();

const historyItem = z
  .looseObject({
    field: z.string().max(255).optional().describe('The field that changed.'),
    before: anyJson.describe('Its value before.'),
    after: anyJson.describe('Its value now.'),
    added: z.array(z.unknown()).max(1_000).optional().describe('What was added to a list.'),
    removed: z.array(z.unknown()).max(1_000).optional().describe('What was removed from a list.'),
  })
  .meta({ id: 'PlatformHistoryItem', description: 'One change. Other fields are kept.' });

export const platformEventBody = z
  .looseObject({
    event: z
      .string()
      .max(100)
      .regex(/^(task|list|folder|space|goal|keyResult)[A-Z]\w*$/)
      .describe('Name of the event. One of a known form but an unknown name is kept and not applied.'),
    webhook_id: id('webhook at the platform'),
    task_id: id('task at the platform. Required for events of tasks'),
    list_id: id('list. Required for events of lists'),
    folder_id: id('folder. Required for events of folders'),
    space_id: id('space. Required for events of spaces'),
    goal_id: id('goal. Required for events of goals'),
    key_result_id: id('key result. Required for events of key results'),
    history_items: z.array(historyItem).max(10_000).optional().describe('What changed.'),
    data: z.record(z.string().max(1_000), z.unknown()).optional().describe('The thing as it is now.'),
  })
  .meta({
    id: 'PlatformEvent',
    description: 'An event of a task platform. Other fields are kept.',
    example: {
      event: 'taskCreated',
      webhook_id: 'wh-7',
      task_id: '86abc1',
      data: {
        name: 'Limit failed logins',
        status: { status: 'to do', orderindex: 0 },
        priority: 2,
        tags: ['security'],
      },
    },
  });

export const sourceHostEventBody = z.record(z.string().max(1_000), z.unknown()).meta({
  id: 'SourceHostEvent',
  description: 'An event as the source host documents it: `X-GitHub-Event` names it.',
  example: { action: 'opened', number: 7, repository: { name: 'web', owner: { login: 'example' } } },
});

export const chatRequestForm = z
  .object({ payload: z.string().max(1_048_576).describe('What was clicked, as JSON.') })
  .meta({
    id: 'ChatRequestForm',
    description: 'What a chat workspace sends.',
    example: { payload: JSON.stringify({ type: 'block_actions', actions: [] }) },
  });

export const inboundAcceptedBody = inboundAccepted
  .extend({ ok: z.literal(true).describe('Always true: the body was taken.') })
  .meta({ id: 'InboundAccepted', description: 'The body was taken.', example: { ok: true } });

export const chatAcceptedBody = inboundAcceptedBody
  .extend({ challenge: z.string().max(1_024).optional().describe('The challenge of a check of the address.') })
  .meta({ id: 'ChatAccepted', base: 'InboundAccepted', description: 'The request was taken.', example: { ok: true } });
