import { contentLines } from '@eas/contracts';
import { z } from 'zod';
import { filledForm } from './asking/form.ts';
import type { TurnInput } from '../agent/agent.ts';

/** Most of a list that a prompt repeats of the context of a task. */
const maxJsonLength = 32_768;

const shownTask = z.looseObject({ title: z.string(), description: z.string().nullish() });
const shownAnswer = z.looseObject({
  input_id: z.string(),
  kind: z.string().nullish(),
  prompt: z.string(),
  answer: z.string().nullish(),
  content: filledForm.nullish(),
  decision: z.string().nullish(),
  comment: z.string().nullish(),
});
const shownContext = z.looseObject({
  answers: z.array(shownAnswer).catch([]),
  parent: z.looseObject({}).nullish().catch(undefined),
  contract: z
    .looseObject({ result_schema: z.record(z.string(), z.unknown()).optional() })
    .nullish()
    .catch(undefined),
});
const shownDirective = z.looseObject({
  id: z.string(),
  kind: z.string(),
  content: z.string().nullish(),
  author: z.string().nullish(),
});
const place = z.looseObject({ path: z.string(), branch: z.string(), url: z.string(), base_branch: z.string() });

/** IDs of answers and messages that the agent has: a continued session gets only the others. */
export type Delivered = Set<string>;

/** What a session remembers of the task: nothing, earlier attempts, or earlier turns of this attempt. */
export type Memory = 'nothing' | 'attempts' | 'turns';

/** The texts of a prompt: all that the session does not know yet. `last`: the last message of a lost session. */
export function promptOf(
  input: TurnInput,
  { memory, delivered, last }: { memory: Memory; delivered: Delivered; last: string | undefined },
): string[] {
  const isNew = memory !== 'turns';
  if (isNew) delivered.clear();
  const texts = [
    ...(memory === 'attempts'
      ? ['You worked on this task before. Go on from there: this is another attempt at it.']
      : []),
    ...(isNew ? [rules(input), ...profileText(input), taskText(input), ...contextText(input)] : []),
    ...(memory === 'nothing' ? lastText(last) : []),
    ...answersText(input, delivered),
    ...messagesOf(input, delivered),
    ...(input.feedback === undefined ? [] : [input.feedback]),
  ];
  return texts.length > 0 ? texts : ['Go on with the task.'];
}

function lastText(last: string | undefined): string[] {
  if (last === undefined) return [];
  const before = 'You worked on this task before, in a session that is gone. Look at what is there first.';
  return [last === '' ? before : `${before} Your last message was:\n${last}`];
}

const [workRule, reviewRule] = [
  'What you leave in these folders is committed, checked and pushed for you. Stay on the branch, and do not push.',
  'They are copies to look at and to try: nothing that you change in them is kept. Compare with the base branch.',
];

function rules({ repositories = [], context }: TurnInput): string {
  const places = z.array(place).parse(repositories);
  const { parent, contract } = shownContext.parse(context);
  const where = places.map(
    ({ path, branch, url, base_branch: base }) => `- ${path}: branch ${branch} of ${url}, base branch origin/${base}`,
  );
  const schema = contract?.result_schema;
  return [
    'You work on a task of a team of engineers, alone and without anybody watching. Do all of it, in this folder.',
    ...(where.length > 0 ? ['The repositories of the task:', ...where, parent ? reviewRule : workRule] : []),
    ...(schema === undefined
      ? []
      : [
          'The task requires a result: end your last message with it, a JSON object in a block ```json that fits this JSON Schema:',
          JSON.stringify(schema),
        ]),
    'If you cannot go on without a person, ask with your tool for questions, or end your turn with the question.',
  ].join('\n');
}

/** The author of the profile speaks for the team. */
function profileText({ profile }: TurnInput): string[] {
  if (!profile) return [];
  const { instructions, skills } = profile;
  const listed = skills.map(({ name, path, description }) => `- ${name} (${path}): ${description}`);
  return [
    ...(instructions === null ? [] : [`How your team works:\n\n${instructions}`]),
    ...(listed.length > 0
      ? [['Skills of your team. Read the file of one before you do what it is for:', ...listed].join('\n')]
      : []),
  ];
}

function taskText({ task }: TurnInput): string {
  const { title, description } = shownTask.parse(task);
  return `# ${title}\n\n${description ?? ''}`;
}

/** What earlier attempts left, and what is required; as it came, without what says nothing. */
function contextText({ task, context }: TurnInput): string[] {
  const { answers: _, project: __, ...rest } = context as Record<string, unknown>;
  const { metadata } = task as { metadata?: unknown };
  const known = Object.entries({ ...rest, metadata }).filter(([, value]) => !isEmpty(value));
  if (known.length === 0) return [];
  const json = JSON.stringify(Object.fromEntries(known), undefined, 1).slice(0, maxJsonLength);
  return [`What else is known of the task (contract: what it must deliver):\n${json}`];
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function answersText({ context }: TurnInput, delivered: Delivered): string[] {
  const { answers } = shownContext.parse(context);
  return answers.filter(({ input_id: id }) => markDelivered(delivered, id)).map(answerText);
}

function answerText({ kind, prompt, answer, content, decision, comment }: z.infer<typeof shownAnswer>): string {
  const filled = content ? contentLines(content) : [];
  const isPermission = kind === 'permission';
  const parts = [answer, ...filled, isPermission ? permissionText(decision) : decision, comment];
  const said = parts.filter((part) => part !== null && part !== undefined && part !== '');
  return `You asked: ${prompt}\nA person answered: ${said.join('\n')}`;
}

const permissionText = (decision: string | null | undefined): string =>
  decision === 'reject' ? 'You may not do this.' : 'You may do this: do it now.';

function messagesOf({ directives }: TurnInput, delivered: Delivered): string[] {
  const messages = directives.flatMap((directive) => messageOf(directive) ?? []);
  return messages.filter(({ id }) => markDelivered(delivered, id)).map(({ text }) => text);
}

/** A message, as a prompt; undefined for other directives. */
export function messageOf(directive: object): { id: string; text: string } | undefined {
  const { data } = shownDirective.safeParse(directive);
  if (data?.kind !== 'message') return undefined;
  return { id: data.id, text: `${saidBy(data.author ?? '')}${data.content ?? ''}` };
}

/** What is said about a pull request has its author in the text. */
function saidBy(author: string): string {
  if (author.startsWith('int_')) return '';
  return author.startsWith('agt_') ? 'The agent that reviewed your work writes: ' : 'A person writes: ';
}

/** Whether the agent did not have it before. */
function markDelivered(delivered: Delivered, id: string): boolean {
  if (delivered.has(id)) return false;
  delivered.add(id);
  return true;
}
