import type { InputResource } from '@eas/contracts';
import { withMark } from '../calls/platform-call.ts';

const maxSummary = 4_000;
const maxPrompt = 8_000;

const cut = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max).toWellFormed()} …`);

/** The closing comment. `key`: the event of the completion. */
export function resultText(summary: string | null | undefined, key: string): string {
  const text = summary?.trim() ?? '';
  return withMark(['An agent completed this task.', ...(text === '' ? [] : [cut(text, maxSummary)])].join('\n\n'), key);
}

type Asked = Pick<InputResource, 'id' | 'kind' | 'prompt' | 'options'>;

const howToAnswer: Record<Asked['kind'], string> = {
  question: 'To answer, reply to this comment, or write a comment that begins with @answer.',
  choice: 'To answer, reply to this comment with the number or the text of an option, or write @answer before it.',
  approval: 'To decide, reply to this comment with approve or reject, or write @answer before it.',
};

export function questionText({ id, kind, prompt, options }: Asked): string {
  const listed = options.map((option, index) => `${index + 1}. ${option}`).join('\n');
  const parts = ['An agent asks:', cut(prompt, maxPrompt), ...(listed === '' ? [] : [listed]), howToAnswer[kind]];
  return withMark(parts.join('\n\n'), id);
}
