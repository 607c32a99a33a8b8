import { z } from 'zod';

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]([01]\d|2[0-3]):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([Zz]|[+ -]\d{2}:?\d{2})?)?$/;

/**
 * Parses a time from a client: any RFC 3339 form, UTC without an offset, midnight for a bare date. A space before the
 * offset is a + that was not encoded in a query. Undefined for any other form or a date that does not exist.
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset = 'Z'] = match;
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : offset.replace(' ', '+').replace(/^(...):?(..)$/, '$1:$2');
  // A leap second is written as the last millisecond of its minute.
  const seconds = second === '60' ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${seconds}${zone}`);
  if (Number.isNaN(date.getTime()) || Number(day) > daysInMonth(Number(year), Number(month))) return undefined;
  // With an offset the year may be outside of what RFC 3339 and the database can write.
  const yearInUtc = date.getUTCFullYear();
  return yearInUtc >= 1 && yearInUtc <= 9_999 ? date : undefined;
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export const timestampInput = z
  .string()
  .max(64)
  .transform((text, context) => {
    const date = parseTimestamp(text);
    if (date) return date;
    context.addIssue({
      code: 'invalid_format',
      format: 'datetime',
      input: text,
      message: 'must be an RFC 3339 timestamp',
    });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time', maxLength: 64 });

export const timestampInputOrNull = timestampInput
  .nullable()
  .meta({ type: ['string', 'null'], format: 'date-time', maxLength: 64 });

export const exampleTime = '2026-11-20T10:00:00Z';

export const timestampOutput = z.iso.datetime().max(24);

export const wholeNumberInput = (min: number, max: number, remedy = '') =>
  z
    .string()
    .max(64)
    .transform((text, context) => {
      const parsed = z
        .int()
        .min(min)
        .max(max)
        .safeParse(/^-?\d+$/.test(text) ? Number(text) : Number.NaN);
      if (parsed.success) return parsed.data;
      const message = `must be an integer from ${min} to ${max}${remedy && `. ${remedy}`}`;
      for (const issue of parsed.error.issues) context.addIssue({ ...issue, message } as never);
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Makes the objects of requests, which refuse unknown fields, or those of responses. */
export type MakeObject = <S extends z.ZodRawShape>(shape: S) => z.ZodObject<S>;

/** A required text: blank counts as missing. */
export const requiredText = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.trim() !== '', { params: { constraint: 'required' }, message: 'must not be blank' });

export const idOutput = z.string().min(1).max(64);

export const idOf = (description: string) => idOutput.describe(description);

export const exampleId = (prefix: string): string => `${prefix}_01ks0000000000000000000000`;

export const role = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/)
  .meta({ description: 'An agent role. Built in: rd, qa, pm. You can use any other name too.', example: 'rd' });

export const tag = requiredText(64);

/** Size limit of a value as JSON, for `refine`. */
export const ofMaxBytes = (maxBytes: number) =>
  [
    (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
    { params: { constraint: 'max_size' }, message: `must be at most ${maxBytes} bytes when serialised` },
  ] as const;

/** Free-form JSON, stored unchanged, at most `maxBytes` when serialised. */
export const freeForm = (maxBytes = 64 * 1024) =>
  z.record(z.string().max(1_000), z.unknown()).refine(...ofMaxBytes(maxBytes));

/** How long tasks took. */
export const meanSeconds = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .nullable()
  .describe('Mean time from the first claim to completion of the completed tasks, in seconds. null: there are none.');

/** A duration in hours: `<number>h`. */
export const hours = z
  .string()
  .max(16)
  .regex(/^\d+(\.\d+)?h$/)
  .meta({ example: '2.5h' });
