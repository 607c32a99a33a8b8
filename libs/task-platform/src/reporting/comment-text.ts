import { fieldLines, fileLines, type InputResource } from '@eas/contracts';
import { withMark } from '@eas/platform-calls';
import { cutText } from '../changes/platform-value.ts';

const maxSummary = 4_000;
const maxPrompt = 8_000;
const [maxCommand, maxPath] = [7_000, 300];

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
    'To decide, reply to this comment with allow (this once), always (the same command, or the same title where there is none, for the rest of the task) or reject, or write @answer before it.',
};

export function questionText({ id, kind, prompt, options, form, permission }: Asked): string {
  const listed = form ? fieldLines(form) : options.map((option, index) => `${index + 1}. ${option}`);
  const parts = [prompt, listed.join('\n'), ...(permission ? wantedParts(permission) : [])].filter(
    (part) => part !== '',
  );
  const asked = parts.map((part) => cutText(part, maxPrompt));
  return withMark(['An agent asks:', ...asked, howToAnswer[kind]].join('\n\n'), id);
}

function wantedParts(permission: NonNullable<Asked['permission']>): string[] {
  const { tool, command } = permission;
  const run = command === undefined ? '' : `\nCommand: ${cutCommand(command)}`;
  return [`Tool: ${tool}${run}`, fileLines(permission, maxPath).join('\n')];
}

const cutCommand = (command: string): string =>
  command.length <= maxCommand
    ? command
    : `${cutText(command, maxCommand)} (${command.length - maxCommand} more characters)`;
