import { AppError } from '@eas/core';
import type { DeadEventRow } from '@eas/queue';
import { z } from 'zod';

type Position = Pick<DeadEventRow, 'deadAt' | 'tenantId' | 'eventId' | 'consumer'>;

const text = z
  .string()
  .max(128)
  .refine((value) => value.isWellFormed() && !value.includes('\0'));
const parts = z.tuple([z.iso.datetime(), text, text, text]);

/** The position of a row in the list of dead events, as an opaque cursor. */
export const writePosition = ({ deadAt, tenantId, eventId, consumer }: Position): string =>
  Buffer.from(JSON.stringify([deadAt, tenantId, eventId, consumer])).toString('base64url');

/** Throws 400 for any other text. */
export function readPosition(after: string): Position {
  const parsed = parts.safeParse(jsonOf(Buffer.from(after, 'base64url').toString()));
  if (!parsed.success) {
    const message = 'after must be a cursor of this list.';
    throw new AppError('invalid_request', { field: 'after', constraint: 'format', message });
  }
  const [deadAt, tenantId, eventId, consumer] = parsed.data;
  return { deadAt: new Date(deadAt), tenantId, eventId, consumer };
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
