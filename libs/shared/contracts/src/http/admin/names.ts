import { z } from 'zod';
import { exampleId } from '../../fields.ts';

const maxNames = 100;
const maxIdLength = 128;
const id = `[\\w.:~/-]{1,${maxIdLength}}`;

const idList = z
  .string()
  .max(maxNames * (maxIdLength + 1))
  .regex(new RegExp(`^${id}(,${id}){0,${maxNames - 1}}$`))
  .transform((text) => [...new Set(text.split(','))])
  .describe(`IDs, separated by commas: at most ${maxNames}.`);

export const nameListQuery = z.object({ ids: idList.optional() });

const exampleName = { id: exampleId('usr'), kind: 'user', name: 'Ada Lovelace', is_removed: false };

const nameResource = z
  .object({
    id: z.string().max(maxIdLength).meta({ description: 'The ID.', example: exampleName.id }),
    kind: z.enum(['user', 'api_key', 'oauth_client', 'agent', 'integration']).describe('What has the ID.'),
    name: z
      .string()
      .max(1_000)
      .describe('The name. Of an integration: that of its organisation or workspace, or its type.'),
    is_removed: z.boolean().describe('Whether it was deleted, or, of an API key, revoked.'),
  })
  .meta({ id: 'Name', description: 'What something that acts is called.', example: exampleName });
export type NameResource = z.infer<typeof nameResource>;

export const nameList = z
  .object({ data: z.array(nameResource).max(maxNames).describe('The names, in no order. Unknown IDs are left out.') })
  .meta({ id: 'NameList', description: 'Names of what acts.', example: { data: [exampleName] } });
