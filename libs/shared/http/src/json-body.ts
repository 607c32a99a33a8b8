import { isUtf8 } from 'node:buffer';
import { AppError } from '@eas/core';
import { fieldName } from './violations.ts';

export const maxNesting = 32;

/**
 * Parses a JSON body. Throws invalid_request for what is no JSON or no UTF-8, invalid_input for U+0000, lone
 * surrogates and nesting over 32. An empty body is an empty object.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  let text = bytes.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed('The body is not valid JSON.', cause);
  }
  // Valid UTF-8 can carry U+0000 and lone surrogates only as \u escapes: JSON itself refuses the raw character.
  check(value, [], text.includes('\\u'));
  return value;
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', { message, field: '', constraint: 'format', cause });
}

function check(value: unknown, path: string[], hasEscapes: boolean): void {
  if (typeof value === 'string') {
    if (hasEscapes && isBroken(value)) throw brokenText(path);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (path.length >= maxNesting) {
    const message = `The body is nested deeper than ${maxNesting} levels.`;
    throw new AppError('invalid_input', { message, field: fieldName(path.slice(0, 1)), constraint: 'max_size' });
  }
  for (const key in value) {
    path.push(key);
    if (hasEscapes && isBroken(key)) throw brokenText(path);
    check((value as Record<string, unknown>)[key], path, hasEscapes);
    path.pop();
  }
}

const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();

function brokenText(path: string[]): AppError {
  const field = fieldName(path).replaceAll('\0', '�');
  const message = 'The body contains the character U+0000 or a lone surrogate.';
  return new AppError('invalid_input', { message, field, constraint: 'format' });
}
