import { isUtf8 } from 'node:buffer';
import { AppError } from '@eas/core';
import { fieldName } from './violations.ts';

/** Levels of objects and lists in a body; deeper is 400. */
export const maxNesting = 32;

/**
 * Parses a JSON body. Throws invalid_request for what is no JSON or no UTF-8, invalid_input for U+0000, lone
 * surrogates, nesting over 32 and the key __proto__. An empty body is an empty object.
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
  if (isDeeper(value, maxNesting)) throw tooDeep(value);
  // Valid UTF-8 can carry U+0000 and lone surrogates only as \u escapes: JSON itself refuses the raw character.
  if (text.includes('\\u') || text.includes('__proto__')) checkTexts(value, []);
  return value;
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', { message, field: fieldName([]), constraint: 'format', cause });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true;
  }
  return false;
}

function tooDeep(value: unknown): AppError {
  const [key = ''] = Object.entries(value as object).find(([, inner]) => isDeeper(inner, maxNesting - 1)) ?? [];
  const message = `The body is nested deeper than ${maxNesting} levels.`;
  return new AppError('invalid_input', { message, field: shownKey([key]), constraint: 'max_size' });
}

function checkTexts(value: unknown, path: string[]): void {
  if (typeof value === 'string' && isBroken(value)) throw brokenText(path);
  if (value === null || typeof value !== 'object') return;
  for (const key in value) {
    path.push(key);
    if (isBroken(key)) throw brokenText(path);
    // Schemas copy objects key by key, and this one would be lost without a word.
    if (key === '__proto__') throw unknownKey(path);
    checkTexts((value as Record<string, unknown>)[key], path);
    path.pop();
  }
}

const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();

function brokenText(path: string[]): AppError {
  const message = 'The body contains the character U+0000 or a lone surrogate.';
  return new AppError('invalid_input', { message, field: shownKey(path), constraint: 'format' });
}

function unknownKey(path: string[]): AppError {
  return new AppError('invalid_input', { field: shownKey(path), constraint: 'unknown_field' });
}

const shownKey = (path: string[]) => fieldName(path).replaceAll('\0', '\uFFFD');
