import { type AnswerInputBody, inputResource } from '@eas/contracts';
import { z } from 'zod';
import { askChoice, askOption, askText } from './ask.ts';
import { fillInForm } from './fill-in-form.ts';
import { type Output, plain } from './output.ts';

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

/** The decisions by the names of their flags. */
export const decisions = {
  approve: 'approve',
  reject: 'reject',
  allowOnce: 'allow_once',
  allowAlways: 'allow_always',
} as const;
const later = 'Later';

/** What a permission is wanted for. */
export function wantedLines({ permission }: Input): string[] {
  if (!permission) return [];
  const { tool, command, diff = [] } = permission;
  return [
    `Tool: ${tool}`,
    ...(command === undefined ? [] : [`Command: ${plain(command)}`]),
    ...diff.map(({ path }) => `Changes ${plain(path)}`),
  ];
}

const asked = {
  approval: [
    { value: 'approve', label: 'Approve' },
    { value: 'reject', label: 'Reject' },
  ],
  permission: [
    { value: 'allow_once', label: 'Allow once' },
    { value: 'allow_always', label: 'Always for this task' },
    { value: 'reject', label: 'Reject' },
  ],
};

/** What a person answers; undefined: they leave it for later. */
export async function answerOf(
  { kind, options, form }: Input,
  output: Pick<Output, 'say'>,
): Promise<AnswerInputBody | undefined> {
  if (kind === 'approval' || kind === 'permission') {
    const chosen = await askOption('What do you decide?', [...asked[kind], { value: later, label: later }]);
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
