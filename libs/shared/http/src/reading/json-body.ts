import {
  AppError,
  findInexactNumber,
  findText,
  isBrokenText,
  jsonLimits,
  type JsonProblem,
  parseJson,
} from '@eas/core';
import { fieldName } from './violations.ts';

/**
 * Parses a JSON body. Throws invalid_request for invalid JSON or UTF-8, invalid_input for U+0000, lone surrogates, the
 * key __proto__, numbers that cannot be represented exactly, and bodies that are nested too deep or have too many
 * values. An empty body is an empty object.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const parsed = parseJson(bytes);
  if (parsed.problem) throw refusal(parsed);
  const { value, text } = parsed;
  if (text.includes('\\u') || text.includes('__proto__')) checkTexts(value);
  checkNumbers(text);
  return value;
}

function refusal(found: JsonProblem): AppError {
  switch (found.problem) {
    case 'not_utf8':
      return malformed('The body must be UTF-8.');
    case 'not_json':
      return malformed('The body must be valid JSON.');
    case 'too_deep':
      return tooLarge(`The body must be nested at most ${jsonLimits.maxDepth} levels deep.`, found.key);
    case 'too_many_members':
      return tooLarge(`The body must have at most ${jsonLimits.maxMembers} values.`, found.key);
  }
}

const malformed = (message: string): AppError =>
  new AppError('invalid_request', { message, field: fieldName([]), constraint: 'format' });

const tooLarge = (message: string, key: string | undefined): AppError =>
  new AppError('invalid_input', { message, field: shownKey(key === undefined ? [] : [key]), constraint: 'max_size' });

function checkTexts(value: unknown): void {
  // Schemas copy objects key by key, and would lose this one silently.
  const isProto = (text: string, isKey: boolean) => isKey && text === '__proto__';
  const path = findText(value, (text, isKey) => isBrokenText(text) || isProto(text, isKey));
  if (!path) return;
  const field = shownKey(path);
  if (path.at(-1) === '__proto__') throw new AppError('invalid_input', { field, constraint: 'unknown_field' });
  const message = 'The body must not contain the character U+0000 or a lone surrogate.';
  throw new AppError('invalid_input', { message, field, constraint: 'format' });
}

/** Stored, they would become other numbers, or null. */
function checkNumbers(text: string): void {
  const path = findInexactNumber(text);
  if (!path) return;
  const field = shownKey(path);
  const message = `${field} must be a number that a double holds as it is written. Send it as a text.`;
  throw new AppError('invalid_input', { message, field, constraint: 'format' });
}

const shownKey = (path: string[]) => fieldName(path).replaceAll('\0', '\uFFFD');
