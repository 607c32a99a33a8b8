import { randomBytes } from 'node:crypto';
import { type Logger, StartError } from '@eas/core';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openSecretBox } from './open-secret-box.ts';

const test = useTestDatabase();
const newKey = () => randomBytes(32).toString('base64');
const cell = { tenantId: 't', table: 'x', column: 'y', rowId: 'z' };
let warnings: unknown[] = [];
const logger: Logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
const open = (...encryptionKeys: string[]) => openSecretBox({ database: test.database, encryptionKeys, logger });

beforeEach(async () => {
  warnings = [];
  await test.database.db.query('TRUNCATE encryption_canaries');
});

describe('the keys of the data', () => {
  it('are those that sealed it; others are refused with a message and seal nothing', async () => {
    const key = newKey();
    const sealed = (await open(key)).seal('secret', cell);
    await expect(open(newKey())).rejects.toThrow(StartError);
    await expect(open(newKey())).rejects.toThrow(
      /^ENCRYPTION_KEY is not the key of the data in this database, which was sealed by [0-9a-f]{8} /,
    );
    expect((await open(key)).open(sealed, cell)).toBe('secret');
    expect(await test.database.db.query('SELECT FROM encryption_canaries')).toHaveLength(1);
  });

  it('may start with a new one, which alone is enough afterwards, with a warning', async () => {
    const [old, fresh] = [newKey(), newKey()];
    await open(old);
    await open(fresh, old);
    expect(warnings).toEqual([]);
    await open(fresh);
    expect(warnings).toEqual([{ key_ids: [expect.stringMatching(/^[0-9a-f]{8}$/)] }]);
  });

  it('are distinguished even when several processes start at once on an empty database', async () => {
    const starts = await Promise.allSettled([newKey(), newKey(), newKey()].map((key) => open(key)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('are checked after the migrations', async () => {
    await test.database.db.query('ALTER TABLE encryption_canaries RENAME TO elsewhere');
    await expect(open(newKey())).rejects.toThrow('(DATABASE_URL) is not migrated. Run npm run db:migrate.');
    await test.database.db.query('ALTER TABLE elsewhere RENAME TO encryption_canaries');
  });
});
