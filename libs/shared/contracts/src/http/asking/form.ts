import { z } from 'zod';
import { type MakeObject, ofMaxBytes, requiredText } from '../../fields.ts';

export const [maxFields, maxFormBytes] = [20, 64 * 1024];
const [maxOptions, maxText] = [100, 65_536];

/** Also the keys of answers. Agents add `_custom` for free text next to options. */
const fieldName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w.-]*$/);
const longText = z.string().max(maxText);
const value = requiredText(500);
const anyNumber = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const textLength = z.int().min(0).max(maxText);
const itemCount = z.int().min(0).max(maxOptions);

/** Shared by requests and responses: `object` builds the objects of either, `name` their names. */
function formOf<T extends z.ZodType>(object: MakeObject, name: (part: string) => string, type: T) {
  const described = {
    title: z.string().max(500).optional().describe('Name of the field for people. Default: its key.'),
    description: z.string().max(4_000).optional().describe('What it is for.'),
  };
  const option = object({
    const: value.describe('The value.'),
    title: value.describe('What people see.'),
    description: z.string().max(4_000).optional().describe('What it means.'),
  }).meta({ id: name('option'), description: 'An option of a field.' });
  const values = z.array(value).min(1).max(maxOptions).optional().describe('The options.');
  const titled = z.array(option).min(1).max(maxOptions).optional();
  const field = <const T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) =>
    object({ type: z.literal(type).describe('The type of the field.'), ...described, ...shape }).meta({
      id: name(`${type}_field`),
      description,
    });
  const bounds = {
    minimum: anyNumber.optional().describe('The smallest number.'),
    maximum: anyNumber.optional().describe('The largest number.'),
    default: anyNumber.optional().describe('What is filled in.'),
  };
  const items = object({
    type: z.literal('string').optional().describe('The type of an item.'),
    enum: values,
    anyOf: titled.describe('The options with titles, in place of `enum`.'),
  }).meta({ id: name('items'), description: 'The options of which several can be chosen: `enum` or `anyOf`.' });
  const property = z
    .discriminatedUnion('type', [
      field('string', 'A text, or one of several options.', {
        enum: values,
        oneOf: titled.describe('The options with titles, in place of `enum`.'),
        minLength: textLength.optional().describe('The smallest number of characters.'),
        maxLength: textLength.optional().describe('The largest number of characters.'),
        format: z.enum(['email', 'uri', 'date', 'date-time']).optional().describe('What kind of text it is.'),
        default: longText.optional().describe('What is filled in.'),
      }),
      field('number', 'A number.', bounds),
      field('integer', 'A whole number.', bounds),
      field('boolean', 'Yes or no.', { default: z.boolean().optional().describe('What is filled in.') }),
      field('array', 'Several of some options.', {
        items,
        minItems: itemCount.optional().describe('The smallest number of chosen options.'),
        maxItems: itemCount.optional().describe('The largest number of chosen options.'),
        default: z.array(value).max(maxOptions).optional().describe('What is chosen already.'),
      }),
    ])
    .meta({ id: name('field'), description: 'A field of a form.', example: exampleField });
  return object({
    type,
    properties: z
      .record(fieldName, property)
      .describe(
        `The fields by their keys, 1 to ${maxFields}. A text field \`<key>_custom\` next to \`<key>\` is for what a person adds to the options in their own words.`,
      ),
    required: z.array(fieldName).max(maxFields).optional().describe('Keys of the fields that must be filled in.'),
  });
}

const exampleField = { type: 'string' as const, title: 'Database', enum: ['Postgres', 'SQLite'] };
export const exampleForm = {
  type: 'object' as const,
  properties: {
    database: exampleField,
    database_custom: { type: 'string' as const, title: 'Other' },
    regions: { type: 'array' as const, title: 'Regions', items: { enum: ['eu', 'us'] } },
  },
  required: ['regions'],
};

const named = (suffix: string) => (part: string) =>
  `Form${part.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`;
export const formText = 'The fields of a form: the schema of elicitation forms of ACP and MCP.';

/** Without the rules between its parts: form-input.ts has them. */
const isObject = z.literal('object').describe('Always object.');
export const formInputShape = formOf(z.strictObject as MakeObject, named('Input'), isObject.default('object'));

export const form = formOf(z.object as MakeObject, named(''), isObject).meta({
  id: 'Form',
  description: formText,
  example: exampleForm,
});
export type Form = z.output<typeof form>;
export type FormField = Form['properties'][string];

const contentText = 'What is filled into a form, by the keys of its fields.';
const contentExample = { database: 'Postgres', regions: ['eu', 'us'] };
const contentValue = z
  .union([longText, anyNumber, z.boolean(), z.array(value).max(maxOptions)])
  .meta({ showsAny: true, description: 'A string, a number, true or false, or a list of strings.' });
export const formContent = z
  .record(fieldName, contentValue)
  .meta({ id: 'FormContent', description: contentText, example: contentExample });
export type FormContent = z.output<typeof formContent>;

export const formContentInput = z
  .record(fieldName, contentValue)
  .refine((content) => Object.keys(content).length <= maxFields, {
    params: { constraint: 'max_length' },
    message: `must have at most ${maxFields} fields`,
  })
  .refine(...ofMaxBytes(maxFormBytes))
  .meta({ id: 'FormContentInput', description: contentText, example: contentExample });
