import { type AnswerInputBody, contentViolations, decisionsOf } from '@eas/contracts';
import { AppError, type Constraint } from '@eas/core';
import type { Input, InputAnswer } from './input.ts';

/** Which field of an answer is for which kind. */
const answerFields = {
  question: 'answer',
  choice: 'answer',
  form: 'content',
  approval: 'decision',
  permission: 'decision',
} as const;

/** What the body says of an input of its kind. Throws invalid_input for what does not fit it. */
export function answerTo(input: Input, body: AnswerInputBody): InputAnswer {
  const { kind } = input;
  const field = answerFields[kind];
  if (body[field] === undefined) throw misfit(field, 'required', `is required for an input of the kind ${kind}`);
  const other = Object.values(answerFields).find((one) => one !== field && body[one] !== undefined);
  if (other) throw misfit(other, 'unknown_field', `is not allowed for an input of the kind ${kind}`);
  assertOffered(input, body);
  const { answer, content, decision, comment } = body;
  const given = Object.entries({ answer, content, decision, comment }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** Whether the answer is one of the options of the input. */
function assertOffered({ kind, options, form }: Input, { answer = '', content = {}, decision }: AnswerInputBody): void {
  if (kind === 'choice' && !options.includes(answer))
    throw misfit('answer', 'enum', `must be one of the options: ${options.join(', ')}`.slice(0, 1_000).toWellFormed());
  const violations = form ? contentViolations(form, content) : [];
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
  if (kind !== 'approval' && kind !== 'permission') return;
  const decisions: readonly string[] = decisionsOf[kind];
  if (!decisions.includes(decision ?? '')) throw misfit('decision', 'enum', `must be one of ${decisions.join(', ')}`);
}

function misfit(field: string, constraint: Constraint, message: string): AppError {
  return new AppError('invalid_input', { violations: [{ field, constraint, message }] });
}
