import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freeForm, hours, parseTimestamp, requiredText, role, tag, timestampInput, timestampOutput } from './fields.ts';

const iso = (text: string) => parseTimestamp(text)?.toISOString();
const midnight = (text: string) => new Date(`${text}T00:00:00Z`);
const moment = fc.date({ min: midnight('0001-01-01'), max: midnight('9999-12-31'), noInvalidDate: true });

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20t10:00:00z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.500Z'],
    ['2026-11-20T10:00:00.123456789Z', '2026-11-20T10:00:00.123Z'],
    ['2026-11-20T10:00:00.9999Z', '2026-11-20T10:00:00.999Z'],
    ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T10:00:00 02:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T10:00:00-0530', '2026-11-20T15:30:00.000Z'],
    ['2026-11-20T10:00:00-00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T23:59:60Z', '2026-11-20T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000Z'],
  ])('reads %s as %s', (text, expected) => expect(iso(text)).toBe(expected));

  it('reads a time without an offset as UTC, and a bare date as its midnight in UTC', () => {
    expect(iso('2026-11-20T10:00:00')).toBe('2026-11-20T10:00:00.000Z');
    expect(iso('2026-11-20')).toBe('2026-11-20T00:00:00.000Z');
  });

  it.each([
    '',
    'tomorrow',
    '1763632800',
    '2026-11',
    '2026-1-2',
    '26-11-20',
    '20261120T100000Z',
    '2026-11-20T',
    '2026-11-20T10',
    '2026-11-20T10:00:00.Z',
    '2026-11-20T10:00:00,5Z',
    '2026-11-20T10:00:00+2',
    '2026-11-20T10:00:00  02:00',
    '2026-11-20 02:00 02',
    '2026-11-20T10:00:00+02:00:00',
    ' 2026-11-20',
    '2026-11-20\n',
    '2026-11-20T10:00:00Z junk',
    '+002026-11-20T10:00:00Z',
  ])('refuses the form %p', (text) => expect(parseTimestamp(text)).toBeUndefined());

  it.each([
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-01-01T25:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:61Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:00:00+24:00',
    '2026-01-01T10:00:00+01:60',
  ])('refuses %s, which does not exist', (text) => expect(parseTimestamp(text)).toBeUndefined());

  it.each(['0000-06-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'refuses %s, whose year in UTC cannot be written',
    (text) => expect(parseTimestamp(text)).toBeUndefined(),
  );

  it('reads back every time', () => {
    fc.assert(fc.property(moment, (date) => expect(parseTimestamp(date.toISOString())).toEqual(date)));
  });

  it('means the same moment at every offset', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -1_439, max: 1_439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000);
        fc.pre(local.getUTCFullYear() >= 0 && local.getUTCFullYear() < 10_000);
        const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
        const size = Math.abs(minutes);
        const offset = `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
        expect(parseTimestamp(local.toISOString().replace('Z', offset))).toEqual(date);
      }),
    );
  });

  it('never throws and never returns an invalid date', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789-:+TZ. '), maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        const date = parseTimestamp(text);
        if (date) expect(Number.isNaN(date.getTime())).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('timestamps of requests and responses', () => {
  it('are read into dates, and refused with the format constraint', () => {
    expect(timestampInput.parse('2026-11-20')).toEqual(midnight('2026-11-20'));
    expect(timestampInput.safeParse('soon').error?.issues[0]).toMatchObject({ code: 'invalid_format' });
    expect(timestampInput.safeParse('2'.repeat(65)).success).toBe(false);
  });

  it('are written in UTC', () => {
    expect(timestampOutput.safeParse('2026-11-20T10:00:00Z').success).toBe(true);
    expect(timestampOutput.safeParse('2026-11-20T10:00:00+01:00').success).toBe(false);
  });
});

describe('requiredText', () => {
  const schema = requiredText(5);
  const issueOf = (value: unknown) => schema.safeParse(value).error?.issues[0];

  it('keeps a text unchanged', () => expect(schema.parse(' a b ')).toBe(' a b '));

  it.each(['   ', '\t\n', '\u00a0'])('counts the blank text %p as missing', (text) => {
    expect(issueOf(text)).toMatchObject({ params: { constraint: 'required' } });
  });

  it('refuses an empty and a long text', () => {
    expect(issueOf('')).toMatchObject({ code: 'too_small' });
    expect(issueOf('abcdef')).toMatchObject({ code: 'too_big' });
  });
});

describe('freeForm', () => {
  it('accepts any JSON object up to its size in bytes, serialised, and keeps it unchanged', () => {
    const schema = freeForm(20);
    const fits = { a: 'é'.repeat(6) }; // {"a":"…"} is 8 bytes and 2 a letter
    expect(schema.parse(fits)).toEqual(fits);
    const issue = schema.safeParse({ a: `${'é'.repeat(6)}x` }).error?.issues[0];
    expect(issue).toMatchObject({ params: { constraint: 'max_size' } });
  });

  it('agrees with the serialised size for any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue()), (value) => {
        // JSON can have the key "__proto__", an object literal cannot.
        const parsed = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        fc.pre(!('__proto__' in value && Object.hasOwn(value, '__proto__')));
        expect(freeForm(100).safeParse(parsed).success).toBe(Buffer.byteLength(JSON.stringify(parsed)) <= 100);
      }),
    );
  });

  it.each([[[]], ['text'], [null], [1]])('refuses %p', (value) =>
    expect(freeForm().safeParse(value).success).toBe(false),
  );
});

describe('small fields', () => {
  it.each(['rd', 'qa', 'Data-Science_2', 'a'.repeat(64)])('accepts %s as a role', (text) => {
    expect(role.safeParse(text).success).toBe(true);
  });
  it.each(['', '2d', '-rd', 'r d', 'rd\n', 'a'.repeat(65)])('refuses %p as a role', (text) => {
    expect(role.safeParse(text).success).toBe(false);
  });
  it.each(['0h', '2h', '2.5h', '100.25h'])('accepts %s as hours', (text) =>
    expect(hours.safeParse(text).success).toBe(true),
  );
  it.each(['2', 'h', '-1h', '.5h', '1.h', '1e3h', '2 h', '2h\n'])('refuses %p as hours', (text) => {
    expect(hours.safeParse(text).success).toBe(false);
  });
  it('bounds tags and refuses blank ones', () => {
    for (const blank of ['', ' ']) expect(tag.safeParse(blank).success).toBe(false);
    expect(tag.safeParse('x'.repeat(65)).success).toBe(false);
  });
});
