import { fieldLines, type InputResource } from '@eas/contracts';
import { withMark } from '../calls/platform-call.ts';
import { cutText } from '../platform/platform-value.ts';

const maxSummary = 4_000;
const maxPrompt = 8_000;

/** The closing comment. `key`: the event of the completion. */
export function resultText(summary: string | null | undefined, key: string): string {
  const text = summary?.trim() ?? '';
  return withMark(
    ['An agent completed this task.', ...(text === '' ? [] : [cutText(text, maxSummary)])].join('\n\n'),
    key,
  );
}

type Asked = Pick<InputResource, 'id' | 'kind' | 'prompt' | 'options' | 'form' | 'permission'>;

const howToAnswer: Record<Asked['kind'], string> = {
  question: 'To answer, reply to this comment, or write a comment that begins with @answer.',
  choice: 'To answer, reply to this comment with the number or the text of an option, or write @answer before it.',
  approval: 'To decide, reply to this comment with approve or reject, or write @answer before it.',
  form: 'To answer, reply to this comment with a line `name: value` for each field, or write @answer before them.',
  permission:
    'To decide, reply to this comment with allow (this once), always (for the rest of the task) or reject, or write @answer before it.',
};

export function questionText({ id, kind, prompt, options, form, permission }: Asked): string {
  const listed = form ? fieldLines(form) : options.map((option, index) => `${index + 1}. ${option}`);
  const shown = [...listed, ...(permission ? wantedLines(permission) : [])].join('\n');
  const asked = [cutText(prompt, maxPrompt), ...(shown === '' ? [] : [cutText(shown, maxPrompt)])];
  return withMark(['An agent asks:', ...asked, howToAnswer[kind]].join('\n\n'), id);
}

function wantedLines({ tool, command, diff = [] }: NonNullable<Asked['permission']>): string[] {
  const changed = diff.map(({ path }) => path).join(', ');
  return [
    `Tool: ${tool}`,
    ...(command === undefined ? [] : [`Command: ${command}`]),
    ...(changed === '' ? [] : [`Changes: ${changed}`]),
  ];
}
