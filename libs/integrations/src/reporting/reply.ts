import type { AnswerInputBody, InputResource } from '@eas/contracts';

/** A question of an agent that was posted as a comment. `date`: when, in Unix milliseconds; null: not known yet. */
export type PostedQuestion = {
  input: Pick<InputResource, 'id' | 'kind' | 'options'>;
  commentId: string | null;
  date: number | null;
};

export type Reply = { author: string; text: string; parentId: string | null; at: number };

/** `author`: the person, as the platform names them. */
export type Answered = { inputId: string; body: AnswerInputBody; author: string };

/**
 * Which of the waiting questions, the oldest first, a person's comment answers, and how. A reply in the thread of a
 * question answers that one. Another comment counts from when the question was posted: what follows `@answer`, or the
 * text or number of an option, or `approve` or `reject`, and nothing else.
 */
export function answerOf(questions: readonly PostedQuestion[], reply: Reply): Answered | undefined {
  const text = reply.text.trim();
  const threaded = questions.find(({ commentId }) => commentId !== null && commentId === reply.parentId);
  const command = /^@answer\b[:\s]*/i.exec(text)?.[0];
  const said = command === undefined ? text : text.slice(command.length).trim();
  const isMeant = threaded !== undefined || command !== undefined;
  const candidates = threaded ? [threaded] : questions.filter(({ date }) => date === null || reply.at >= date);
  for (const { input } of candidates) {
    const body = bodyOf(input, said, isMeant);
    if (body) return { inputId: input.id, body, author: reply.author };
  }
  return undefined;
}

function bodyOf(
  { kind, options }: PostedQuestion['input'],
  text: string,
  isMeant: boolean,
): AnswerInputBody | undefined {
  if (text === '') return undefined;
  switch (kind) {
    case 'question':
      return isMeant ? { answer: text } : undefined;
    case 'choice': {
      const option = optionOf(options, text, isMeant);
      return option === undefined ? undefined : { answer: option };
    }
    case 'approval': {
      const decision = decisionOf(text, isMeant);
      return decision && { decision, comment: text };
    }
  }
}

/** `isMeant`: more may follow the option. */
function optionOf(options: readonly string[], text: string, isMeant: boolean): string | undefined {
  const lower = text.toLowerCase();
  const same = options.find((option) => option.trim().toLowerCase() === lower);
  if (same !== undefined) return same;
  const number = /^(\d{1,2})[.)]?(?=\s|$)(.*)$/s.exec(text);
  if (number && (isMeant || number[2]?.trim() === '')) return options[Number(number[1]) - 1];
  if (!isMeant) return undefined;
  const begun = options.filter((option) => startsWithWord(lower, option.trim().toLowerCase()));
  return begun.sort((a, b) => b.length - a.length)[0];
}

const startsWithWord = (text: string, word: string) =>
  text.startsWith(word) && !/^[\p{L}\p{N}]/u.test(text.slice(word.length));

function decisionOf(text: string, isMeant: boolean): 'approve' | 'reject' | undefined {
  const words = /^(approved?|reject(?:ed)?|yes|no)(?![\p{L}\p{N}])(.*)$/isu.exec(text);
  if (!words) return undefined;
  const [, word = '', rest = ''] = words;
  const isShort = /^(yes|no)$/i.test(word);
  if (!isMeant && (isShort || !/^[.!]?\s*$/.test(rest))) return undefined;
  return /^(a|y)/i.test(word) ? 'approve' : 'reject';
}
