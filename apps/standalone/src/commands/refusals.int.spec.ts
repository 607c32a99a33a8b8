// What Postgres refuses because of the database as a whole is one line: the address, its setting, and what to do.
import { randomBytes } from 'node:crypto';
import { explainRefusal } from '@eas/db/admin';
import { type EmptyDatabase, emptyDatabase, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from './command.fixture.ts';

const test = useTestDatabase();
const encryptionKeys = [randomBytes(32).toString('base64')];
let blank: EmptyDatabase;
beforeAll(async () => void (blank = await emptyDatabase()));
afterAll(() => blank.drop());

/** As a replica behaves. */
function readOnly(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c default_transaction_read_only=on');
  return address.toString();
}

async function refusalOf(line: string[], settings: Parameters<typeof runFromTerminal>[1]): Promise<string> {
  const { code, out, err } = await runFromTerminal(line, { encryptionKeys, ...settings });
  expect([code, out, err.trim().split('\n')]).toEqual([1, '', [expect.any(String)]]);
  return err.trim();
}

describe('a command on a read-only database', () => {
  it.each([[['key:list']], [['tenant:create', 'acme']], [['db:seed']], [['admin:link']]])(
    '%j names the address and its setting',
    async (line) => {
      const said = await refusalOf(line, { databaseUrl: readOnly(test.url) });
      expect(said).toMatch(/^Postgres at postgresql:\S+ \(DATABASE_URL\) cannot be used: it is read-only, /);
      expect(said).toMatch(/Set DATABASE_URL to the primary\.$/);
    },
  );

  it('names the setting by which the command has connected', async () => {
    const other = { databaseUrl: test.url };
    const owner = { ...other, migrateDatabaseUrl: readOnly(blank.url) };
    expect(await refusalOf(['db:migrate'], owner)).toContain('(MIGRATE_DATABASE_URL) cannot be used: it is read-only');
    const direct = { ...other, databaseDirectUrl: readOnly(test.url) };
    expect(await refusalOf(['key:list'], direct)).toContain('(DATABASE_DIRECT_URL) cannot be used: it is read-only');
    const notYet = { ...other, databaseDirectUrl: blank.url };
    expect(await refusalOf(['key:list'], notYet)).toMatch(
      /^The database at \S+ \(DATABASE_DIRECT_URL\) is not migrated\. Run npm run db:migrate\.$/,
    );
  });
});

describe('an error of Postgres', () => {
  const address = { url: 'postgresql://eas:hush@db/eas', setting: 'DATABASE_URL' };
  const of = (code: string, isOwner = false) =>
    (explainRefusal(Object.assign(new Error('it failed'), { code }), { ...address, isOwner }) as Error).message;

  it.each([
    ['53100', false, /its disk is full\. Free space/],
    ['42501', false, /its role may not do this\. Run npm run cmd -- db:roles/],
    ['42501', true, /its role may not do this\. Set MIGRATE_DATABASE_URL/],
    ['57P03', false, /cannot be used: it failed \(SQLSTATE 57P03\)\.$/],
  ])('%s, as owner: %s, is a sentence without the password', (code, isOwner, sentence) => {
    expect(of(code, isOwner)).toMatch(/^Postgres at postgresql:\/\/eas@db\/eas \(DATABASE_URL\) cannot be used: /);
    expect(of(code, isOwner)).toMatch(sentence);
  });

  it('is not seen in errors of Node and Prisma that have a code of the same length', () => {
    for (const code of ['EPIPE', 'P2002', 'not_found']) expect(of(code)).toBe('it failed');
  });
});
