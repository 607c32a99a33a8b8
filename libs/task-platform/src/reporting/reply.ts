import { type AnswerInputBody, type Form, type InputResource, readValue, soleChoiceOf } from '@eas/contracts';
import { decisionOf } from './reply-decision.ts';

/** A question of an agent that was posted as a comment. `date`: when, in Unix milliseconds; null: not known yet. */
export type PostedQuestion = {
  input: Pick<InputResource, 'id' | 'kind' | 'options' | 'form'>;
  commentId: string | null;
  date: number | null;
};

export type Reply = { author: string; text: string; parentId: string | null; at: number };

/** `author`: the person, as the platform names them. */
export type Answered = { inputId: string; body: AnswerInputBody; author: string };

/**
 * Which of the waiting questions, the oldest first, a person's comment answers, and how. A reply in the thread of a
 * question answers that one. Another comment counts from when the question was posted: what follows `@answer`, or the
 * text or number of an option, lines for fields of a form, or a decision such as `approve`, and nothing else.
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
  { kind, options, form }: PostedQuestion['input'],
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
    case 'approval':
    case 'permission': {
      const decision = decisionOf(kind, text, isMeant);
      return decision && { decision, comment: text };
    }
    case 'form': {
      const content = form ? contentOf(form, text, isMeant) : undefined;
      return content && { content };
    }
  }
}

/** Lines of `name: value`, or the option of a form that asks for one. Undefined where other lines are among them. */
function contentOf(form: Form, text: string, isMeant: boolean): AnswerInputBody['content'] {
  const sole = soleChoiceOf(form);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const filled = lines.map((line) => filledIn(form, line));
  if (filled.every((entry) => entry !== undefined)) return Object.fromEntries(filled);
  if (!sole) return undefined;
  const label = optionOf(
    sole.options.map((option) => option.label),
    text,
    isMeant,
  );
  const option = sole.options.find((one) => one.label === label);
  return option && { [sole.key]: option.value };
}

function filledIn({ properties }: Form, line: string) {
  const [, name = '', value = ''] = /^\s*([^:]{1,500}):(.*)$/s.exec(line) ?? [];
  const lower = name.trim().toLowerCase();
  const field = Object.entries(properties).find(([key, { title }]) =>
    [key, title].some((one) => one?.toLowerCase() === lower),
  );
  return field && ([field[0], readValue(field[1], value)] as const);
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
