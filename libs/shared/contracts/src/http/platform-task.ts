import { z } from 'zod';
import { hours, idOf, timestampOutput } from '../fields.ts';

const text = (maxLength: number, description: string) => z.string().max(maxLength).describe(description);

const example = {
  integration_id: 'int_01ks0000000000000000000000',
  id: '1vj38vv',
  status: 'in progress',
  list: { id: '162641285', name: 'Sprint 12' },
  start_date: '2026-11-20T00:00:00Z',
  time_estimate: '1.5h',
  time_spent: '0.25h',
  assignees: [{ id: '184', name: 'Sam' }],
  custom_fields: [{ id: '862a38bb', name: 'Customer', value: 'Acme' }],
};

const named = z
  .object({
    id: text(255, 'ID on the other platform.'),
    name: text(500, 'Its present name. It is missing until the platform reports one.').optional(),
  })
  .meta({ id: 'PlatformThing', description: 'A thing of the other platform.', example: example.list });

const customField = z
  .object({
    id: text(255, 'ID of the field on the other platform.'),
    name: text(255, 'Its name.'),
    value: text(255, 'Its value.'),
  })
  .meta({
    id: 'PlatformCustomField',
    description: 'A custom field of a task of the other platform.',
    example: example.custom_fields[0],
  });

/** Further fields of a task on its platform. */
export const platformTask = z
  .object({
    integration_id: idOf('The integration. It is missing for events that were not signed.').optional(),
    id: text(255, 'ID of the task on the other platform.'),
    status: text(255, 'Its status there.').optional(),
    list: named.optional(),
    folder: named.optional(),
    space: named.optional(),
    goal: named.optional(),
    key_result: named.optional(),
    start_date: timestampOutput.describe('When the work should start.').optional(),
    time_estimate: hours.describe('Estimated time, in hours.').optional(),
    time_spent: hours.describe('Tracked time, in hours.').optional(),
    assignees: z.array(named).max(50).optional().describe('Users that the task is assigned to there.'),
    custom_fields: z.array(customField).max(50).optional().describe('Custom fields that have a value.'),
  })
  .meta({
    id: 'PlatformTask',
    description: 'What the platform that the task comes from says of it. What it has not reported is missing.',
    example,
  });
export type PlatformTask = z.infer<typeof platformTask>;
