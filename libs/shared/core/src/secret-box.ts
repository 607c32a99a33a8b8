import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The cell of a sealed value. A value copied to another cell does not open there. */
export type SealedCell = { tenantId: string; table: string; column: string; rowId: string };

export type SecretBox = {
  /** Id of the key that seals: the first 8 hex digits of its SHA-256. */
  keyId: string;
  /** AES-256-GCM under the first key: `v1.<key id>.<nonce>.<text and tag>`, base64url parts. */
  seal(plain: string, cell: SealedCell): string;
  /** Opens what any of the keys sealed; throws when key, cell or text do not match. */
  open(sealed: string, cell: SealedCell): string;
};

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/** @param keysBase64 32-byte keys in base64: the first seals, all open. Throws on any other length. */
export function createSecretBox(keysBase64: readonly string[]): SecretBox {
  const keys = keysBase64.map(parseKey);
  const first = keys[0];
  if (!first) throw new Error('a secret box needs at least one key');
  return {
    keyId: first.id,
    seal(plain, cell) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes }).setAAD(aad(cell));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${first.id}.${nonce.toString('base64url')}.${text.toString('base64url')}`;
    },
    open(sealed, cell) {
      const [version, keyId, nonce, text] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === keyId);
      if (version !== 'v1' || !key || !nonce || !text) throw new Error('sealed value: unknown version or key');
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(algorithm, key.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: tagBytes,
      })
        .setAAD(aad(cell))
        .setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}

/** Id of the key that sealed a text. */
export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

function parseKey(base64: string) {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== 32) throw new Error('an encryption key must be 32 bytes in base64');
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

function aad({ tenantId, table, column, rowId }: SealedCell): Buffer {
  return Buffer.from(JSON.stringify([tenantId, table, column, rowId]));
}
