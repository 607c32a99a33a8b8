import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textArray } from './text-array.ts';

const test = useTestDatabase();

async function echo(texts: readonly string[]): Promise<string[]> {
  const array = textArray(texts.map((text) => Buffer.from(text)));
  const rows = await test.database.db.query<{ text: string }>('SELECT unnest($1::text[]) AS text', [array]);
  return rows.map(({ text }) => text);
}

it.each([
  [[]],
  [['']],
  [['NULL', 'a,b', '{"a":"\\\\"}', "it's", 'é\u{1f600}', '\ufeff']],
  [['x'.repeat(1_000_000), 'y']],
])('Postgres reads the texts in their order: %j', async (texts) => expect(await echo(texts)).toEqual(texts));

it('whatever the texts are', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0'))),
      async (texts) => expect(await echo(texts)).toEqual(texts),
    ),
    { numRuns: 50 },
  ));

it('bytes that are not text are an error of the statement', async () => {
  for (const bytes of [[0x61, 0x00], [0xff]])
    await expect(
      test.database.db.query('SELECT unnest($1::text[])', [textArray([Buffer.from(bytes)])]),
    ).rejects.toMatchObject({ code: '22021' });
});
