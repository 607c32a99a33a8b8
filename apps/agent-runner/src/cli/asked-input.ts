import { type AnswerInputBody, changedLines, fileLines, inputResource, type Permission } from '@eas/contracts';
import { z } from 'zod';
import { askChoice, askOption, askText } from './ask.ts';
import { fillInForm } from './fill-in-form.ts';
import { oneLine, type Output, plain } from './output.ts';

/** What an agent asked, as far as it is shown. */
export const input = z.looseObject({
  id: z.string(),
  task_id: z.string(),
  agent_id: z.string(),
  kind: z.string(),
  prompt: z.string(),
  options: z.array(z.string()).default([]),
  form: inputResource.shape.form.default(null),
  permission: inputResource.shape.permission.default(null),
  status: z.string(),
});
export type Input = z.output<typeof input>;
type Change = NonNullable<Permission['diff']>[number];

/** The decisions by the names of their flags. */
export const decisions = {
  approve: 'approve',
  reject: 'reject',
  allowOnce: 'allow_once',
  allowAlways: 'allow_always',
} as const;
const later = 'Later';

/** Most lines of a change that are shown of each side, and most characters of one. */
const [maxLines, maxLength] = [8, 200];

/** What a permission is wanted for. */
export function wantedLines({ permission }: Pick<Input, 'permission'>): string[] {
  if (!permission) return [];
  const { tool, command, diff = [] } = permission;
  return [
    `Tool: ${tool}`,
    ...(command === undefined ? [] : [`Command: ${plain(command)}`]),
    ...fileLines(permission).map(plain),
    ...diff.flatMap(excerptOf),
  ];
}

function excerptOf(change: Change): string[] {
  const { removed, added } = changedLines(change);
  return [`--- ${oneLine(change.path, maxLength)}`, ...excerpt('-', removed), ...excerpt('+', added)];
}

function excerpt(sign: string, lines: readonly string[]): string[] {
  const more = lines.length - maxLines;
  return [
    ...lines.slice(0, maxLines).map((line) => `${sign}${plain(line).slice(0, maxLength)}`),
    ...(more > 0 ? [`${sign}… ${more} more lines`] : []),
  ];
}

const approvals = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
];

export const permissionOptions = ({ permission }: Pick<Input, 'permission'>) => [
  { value: 'allow_once', label: 'Allow once' },
  {
    value: 'allow_always',
    label: `Always for this task: the same ${permission?.command === undefined ? 'title' : 'command'}`,
  },
  { value: 'reject', label: 'Reject' },
];

/** What a person answers; undefined: they leave it for later. */
export async function answerOf(one: Input, output: Pick<Output, 'say'>): Promise<AnswerInputBody | undefined> {
  const { kind, options, form } = one;
  if (kind === 'approval' || kind === 'permission') {
    const offered = kind === 'approval' ? approvals : permissionOptions(one);
    const chosen = await askOption('What do you decide?', [...offered, { value: later, label: later }]);
    const decision = Object.values(decisions).find((one) => one === chosen);
    if (!decision) return undefined;
    const comment = await askText('A remark for the agent (empty: none)');
    return { decision, ...(comment === '' ? {} : { comment }) };
  }
  if (form) return { content: await fillInForm(form, output) };
  const answer =
    kind === 'choice' ? await askChoice('Which?', [...options, later]) : await askText('Answer (empty: later)');
  return answer === '' || (kind === 'choice' && answer === later) ? undefined : { answer };
}
