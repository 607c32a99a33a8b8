import { createSecretBox, keyIdOf, type Logger, type SealedCell, type SecretBox, StartError } from '@eas/core';
import { defaultTenantId } from '@eas/contracts';
import type { Database } from '../database.ts';
import type { Db } from '../connection/db.ts';
import { whenFree } from '../transactions/locks.ts';

type Canary = { keyId: string; sealed: string };

const text = 'canary';
const cell: SealedCell = { tenantId: '', table: 'encryption_canaries', column: 'sealed', rowId: text };

export type SecretBoxOptions = { database: Database; encryptionKeys: readonly string[]; logger: Logger };

/**
 * The box of these keys (the first seals, all open), after a check that they belong to the data: each key that was ever
 * first has stored a canary. Throws a StartError when the keys open no canary; a single missing key is a warning,
 * because an operator may have given up what it sealed.
 */
export async function openSecretBox({ database, encryptionKeys, logger }: SecretBoxOptions): Promise<SecretBox> {
  const secrets = createSecretBox(encryptionKeys);
  const ask = () => database.inTransaction(defaultTenantId, ({ db }) => askCanaries(db, secrets));
  const missing = await whenFree(ask).catch((error) => {
    throw database.explain(error);
  });
  if (missing.length > 0) logger.warn({ key_ids: missing }, 'ENCRYPTION_KEY lacks keys that encrypted data here');
  return secrets;
}

/** Stores a canary of the first key. Returns the ids of keys that stored one and are not among these. */
async function askCanaries(db: Db, secrets: SecretBox): Promise<string[]> {
  // Several processes boot at once, and all others must see the canary of the first.
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('encryption_canaries', 0))`);
  const { known, closed } = await tryCanaries(db, secrets);
  if (known.length > 0 && closed.length === known.length) throw wrongKeys(closed);
  const sealed = secrets.seal(text, cell);
  await db.query('INSERT INTO encryption_canaries (key_id, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    keyIdOf(sealed),
    sealed,
  ]);
  return closed;
}

/** Ids of the keys with a canary, and of those whose canary the box does not open. */
export async function tryCanaries(db: Db, secrets: SecretBox): Promise<{ known: string[]; closed: string[] }> {
  const left = await db.query<Canary>('SELECT key_id AS "keyId", sealed FROM encryption_canaries ORDER BY created_at');
  const idOf = ({ keyId }: Canary) => keyId;
  return { known: left.map(idOf), closed: left.filter(({ sealed }) => !opens(secrets, sealed)).map(idOf) };
}

function wrongKeys(keyIds: readonly string[]): StartError {
  return new StartError(
    `ENCRYPTION_KEY is not the key of the data in this database, which was sealed by ${keyIds.join(', ')} (the first 8 hex digits of the key's SHA-256): set that key, and put a new one in front of it.`,
  );
}

function opens(secrets: SecretBox, sealed: string): boolean {
  try {
    return secrets.open(sealed, cell) === text;
  } catch {
    return false;
  }
}
