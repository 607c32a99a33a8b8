import { z } from 'zod';
import { idOutput, timestampOutput } from '../fields.ts';

const entryFields = {
  id: idOutput.meta({
    id: 'EntryId',
    description: 'ID of the entry. Ids sort in the order of the entries.',
    example: '0000000003',
  }),
  seq: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ id: 'EntryNumber', description: 'Number of the entry within its timeline: 1, 2, 3 and so on.' }),
  timestamp: timestampOutput.describe('When it happened.'),
  actor: z
    .string()
    .max(64)
    .meta({ id: 'EntryActor', description: 'Who did it: an id, or `system` for the service itself.' }),
};

/** Builds the schemas of entries of one kind, named after it: Task, status_change → TaskStatusChangeEntry. */
export const entryOf =
  (owner: string) =>
  <const T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) =>
    z.object({ ...entryFields, type: z.literal(type).describe('The kind of the entry.'), ...shape }).meta({
      id: `${owner}${type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Entry`,
      description,
    });
