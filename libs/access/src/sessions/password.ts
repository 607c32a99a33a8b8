import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;

type Kept = { cost: Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>; salt: Buffer; tag: Buffer };

/** A PHC string of argon2id under a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await tagOf(password, { cost, salt, tag: Buffer.alloc(tagBytes) });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Used when there is no password: no text has this tag, and the check costs the same. */
const unknownPerson: Kept = { cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

/**
 * Whether it is the password of the PHC string, in a time that does not depend on where they differ. Without a
 * string it is false after the same work, so that the time reveals no existing account.
 */
export async function verifyPassword(password: string, phc: string | null | undefined): Promise<boolean> {
  const kept = phc ? parse(phc) : unknownPerson;
  const isSame = timingSafeEqual(await tagOf(password, kept), kept.tag);
  return isSame && kept !== unknownPerson;
}

/** The same letters typed on two keyboards may be different bytes. */
const tagOf = (password: string, { cost: { memory, passes, parallelism }, salt, tag }: Kept): Promise<Buffer> =>
  derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    tagLength: tag.length,
    memory,
    passes,
    parallelism,
  });

const phcForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(phc: string): Kept {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcForm.exec(phc) ?? [];
  if (tag === '') throw new Error('a stored password is not a PHC string of argon2id');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
