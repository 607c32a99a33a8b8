import { isUtf8 } from 'node:buffer';
import { AppError } from '@eas/core';

const maxDepth = 32;

export type InboundJson = { text: string; body: Record<string, unknown> };

/** Reads a receiver's raw body as a JSON object; a byte order mark is dropped. Whatever the bytes are, only AppError invalid_request is thrown. */
export function parseInboundJson(raw: Buffer): InboundJson {
  if (!isUtf8(raw)) throw malformed('The body is not valid UTF-8.');
  const text = raw.toString('utf8').replace(/^\uFEFF/, '');
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw malformed('The body must be a JSON object.');
  // Characters that Postgres or UTF-8 cannot hold come in as escapes alone, and few bodies have any.
  if (hasManyBrackets(text) || text.includes('\\u')) checkValues(body);
  return { text, body: body as Record<string, unknown> };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
}

/** No more opening brackets than levels: it cannot be nested too deep, and needs no walk. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code === 0x7b || code === 0x5b) && (count += 1) > maxDepth) return true;
  }
  return false;
}

function checkValues(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') checkText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`);
    if (!Array.isArray(value)) for (const key of Object.keys(value)) checkText(key);
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
}

function checkText(text: string): void {
  if (text.includes('\u0000')) throw malformed('The body contains the character U+0000.');
  if (!text.isWellFormed()) throw malformed('The body contains a lone surrogate.');
}

function malformed(message: string): AppError {
  return new AppError('invalid_request', { message });
}
