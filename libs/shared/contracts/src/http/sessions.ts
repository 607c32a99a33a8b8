import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  idOutput,
  type MakeObject,
  ofMaxBytes,
  timestampOutput,
  wholeNumberInput,
} from '../fields.ts';
import { fileChange } from './asking/file-change.ts';
import { exampleExpiry, fencingToken, leaseResult } from './leases.ts';

/** Maximum of one call. */
const [maxSessionEntries, maxSessionBytes] = [200, 256 * 1_024];
/** Maximum number of further changes that a permission shows. */
const maxMoreDiffs = 19;

const word = z.string().max(64);
const line = z.string().max(2_000);
const longText = z.string().max(65_536);
const entryNumber = z.int().min(1).max(2_147_483_647);
const messageId = z.string().max(200).optional().describe('The message that it is a part of.');

type Names = { entry: (kind: string) => string; part: (name: string) => string };
type KindParts<Common> = { object: MakeObject; common: Common; names: Names; currency: z.ZodString };

/** Shared by requests and responses: `object` builds the objects of either. */
function kindsOf<Common extends z.ZodRawShape>({ object, common, names, currency }: KindParts<Common>) {
  const entry = <const K extends string, S extends z.ZodRawShape>(kind: K, description: string, shape: S) =>
    object({ ...common, kind: z.literal(kind).describe('The kind of the entry.'), ...shape }).meta({
      id: names.entry(kind),
      description,
    });
  const diff = object(fileChange).meta({
    id: names.part('diff'),
    description: 'A change of a file. Long texts can be cut.',
  });
  const step = object({
    text: line.describe('The step.'),
    status: word.describe('pending, in_progress or completed.'),
  });
  const cost = object({
    amount: z.number().min(0).max(1_000_000_000).describe('The amount.'),
    currency: currency.describe('The currency (ISO 4217).'),
  });
  return [
    entry('prompt', 'What the agent received: its task, a message of a person, or why its work is not done yet.', {
      text: longText.describe('The text.'),
    }),
    entry('text', 'What the agent said. Entries with the same `message_id` are parts of one message.', {
      text: longText.describe('The text.'),
      message_id: messageId,
    }),
    entry('thought', 'What the agent thought.', { text: longText.describe('The text.'), message_id: messageId }),
    entry('tool', 'The agent uses a tool. Later entries with the same `id` have what is new about the call.', {
      id: z.string().min(1).max(200).describe('ID of the call, within one lease.'),
      type: word.optional().describe('What kind of tool: read, edit, delete, move, search, execute, think or fetch.'),
      name: z.string().max(200).optional().describe('The agent’s own name of the tool.'),
      title: line.optional().describe('What it does, such as a command.'),
      status: word.optional().describe('pending, in_progress, completed or failed. New values can be added.'),
      diff: diff.optional(),
      more_diffs: z
        .array(diff)
        .max(maxMoreDiffs)
        .optional()
        .describe('Further changes, when the call changes several files. An entry with `diff` replaces these too.'),
      output: longText.optional().describe('The last of what it printed.'),
    }),
    entry('plan', 'The plan of the agent. It replaces the previous one.', {
      steps: z
        .array(step.meta({ id: names.part('plan_step'), description: 'A step of a plan.' }))
        .max(100)
        .describe('The steps.'),
    }),
    entry('usage', 'What the session has used so far.', {
      tokens: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('Tokens in its context.'),
      cost: cost.optional().meta({ id: names.part('cost'), description: 'An amount of money.' }),
      model: z.string().max(200).optional().describe('The model.'),
    }),
    entry('question', 'The agent asked a person.', { text: longText.describe('The question.') }),
    entry('permission', 'The agent asked whether it may use a tool.', {
      tool: z.string().max(200).describe('The tool.'),
      title: line.describe('What it would do.'),
      is_allowed: z.boolean().describe('Whether it was allowed.'),
    }),
    entry('notice', 'Something about the session itself, for people.', { text: longText.describe('The text.') }),
    entry('stop', 'The agent ended a turn.', { reason: line.describe('Why it ended.') }),
  ] as const;
}

const named = (suffix: string) => (kind: string) =>
  `Session${kind.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`;
const inputNames: Names = { entry: named('Input'), part: named('Input') };
const outputNames: Names = { entry: named('Entry'), part: named('') };

const inputKinds = kindsOf({
  object: z.strictObject as MakeObject,
  common: {},
  names: inputNames,
  currency: z
    .string()
    .max(3)
    .regex(/^[A-Z]{3}$/),
});

const exampleEntry = { kind: 'tool', id: 'call_1', type: 'execute', title: 'npm test', status: 'in_progress' } as const;

const newSessionEntry = z
  .discriminatedUnion('kind', inputKinds)
  .meta({ id: 'SessionEntryInput', description: 'Something that an agent said or did.', example: exampleEntry });
export type NewSessionEntry = z.output<typeof newSessionEntry>;

export const sessionEntriesBody = z
  .strictObject({
    fencing_token: fencingToken,
    first: entryNumber.describe(
      'Your number of the first entry. Entries of a lease are numbered 1, 2, 3 and so on; after `resumeLease` they begin with 1 again.',
    ),
    entries: z
      .array(newSessionEntry)
      .min(1)
      .max(maxSessionEntries)
      .refine(...ofMaxBytes(maxSessionBytes))
      .describe(`The entries, in the order in which they came, at most ${maxSessionBytes} bytes when serialised.`),
  })
  .meta({
    id: 'AddSessionEntries',
    description: 'What the agent said and did since the last call.',
    example: { fencing_token: 1, first: 1, entries: [{ kind: 'text', text: 'I run the tests first.' }, exampleEntry] },
  });
export type SessionEntriesBody = z.output<typeof sessionEntriesBody>;

export const sessionEntriesResult = leaseResult
  .extend({
    next: entryNumber.describe('Your number of the next entry.'),
    is_followed: z
      .boolean()
      .describe('Whether someone follows the session now. If not, a call every few seconds is enough.'),
  })
  .meta({
    id: 'SessionEntriesAdded',
    base: 'LeaseState',
    description: 'What comes next, and the state of the lease.',
    example: { expires_at: exampleExpiry, directives: [], next: 3, is_followed: false },
  });
export type SessionEntriesResult = z.infer<typeof sessionEntriesResult>;

/** Named, as each kind of entry has them. */
const shown = {
  number: entryNumber.meta({
    id: 'SessionEntryNumber',
    description: 'Number of the entry within the session of the task: 1, 2, 3 and so on.',
  }),
  at: timestampOutput.meta({ id: 'SessionEntryTime', description: 'When the service received the entry.' }),
  lease_id: idOutput.meta({
    id: 'SessionEntryLease',
    description: 'ID of the lease under which the agent worked. Each attempt has another one.',
  }),
  agent_id: idOutput.meta({ id: 'SessionEntryAgent', description: 'ID of the agent.' }),
  attempt: entryNumber.optional().meta({
    id: 'SessionEntryAttempt',
    description: 'Number of the attempt, as in the context of its claim. Entries of earlier versions have none.',
  }),
};
const exampleShown = {
  number: 2,
  at: exampleTime,
  lease_id: exampleId('lse'),
  agent_id: exampleId('agt'),
  attempt: 1,
  ...exampleEntry,
};

const outputKinds = kindsOf({
  object: z.object as MakeObject,
  common: shown,
  names: outputNames,
  // Older entries can have any three characters.
  currency: z.string().min(3).max(3),
});

const sessionEntry = z.discriminatedUnion('kind', outputKinds).meta({
  id: 'SessionEntry',
  description:
    'Something that an agent said or did. New kinds of entries can be added: skip those that you do not know.',
  example: exampleShown,
});
export type SessionEntry = z.infer<typeof sessionEntry>;

export const sessionQuery = z.object({
  after: wholeNumberInput(0, 2_147_483_647)
    .optional()
    .meta({ default: 0, description: 'Number of the last entry that you have. The page begins with the next one.' }),
  limit: wholeNumberInput(1, 1_000)
    .optional()
    .meta({ default: 200, description: 'Maximum number of entries. A page can have fewer although more follow.' }),
});

export const sessionPage = z
  .object({
    data: z.array(sessionEntry).max(1_000).describe('The entries, oldest first.'),
    has_more: z.boolean().describe('Whether more entries follow. Get them with the last number as `after`.'),
    last_number: z.int().min(0).max(2_147_483_647).describe('Number of the newest entry. 0: there is none.'),
  })

  .meta({
    id: 'SessionPage',
    description: 'A page of what agents said and did while they worked on a task.',
    example: { data: [exampleShown], has_more: false, last_number: 2 },
  });
export type SessionPage = z.infer<typeof sessionPage>;
