import type { Db } from '@eas/db';

/** A program that registered itself. */
export type Registration = { id: string; name: string; redirectUris: string[] };

/** How long a registration waits for a person to allow it. */
const validForHours = 24;
/** Maximum number from all addresses together. */
const maxWaiting = 10_000;

const insertSql = `
  INSERT INTO oauth_registrations (id, name, redirect_uris, expires_at)
  SELECT $1, $2, $3::text[], app_now() + interval '${validForHours} hours'
  WHERE (SELECT count(*) FROM (SELECT FROM oauth_registrations LIMIT ${maxWaiting}) AS waiting) < ${maxWaiting}
  RETURNING id`;

/** False: too many wait already. */
export async function insertRegistration(db: Db, { id, name, redirectUris }: Registration): Promise<boolean> {
  return (await db.query(insertSql, [id, name, redirectUris])).length > 0;
}

const waitingSql = 'SELECT FROM oauth_registrations WHERE id = $1 AND expires_at > app_now()';

export async function isWaiting(db: Db, id: string): Promise<boolean> {
  return (await db.query(waitingSql, [id])).length > 0;
}

const takeSql = `
  DELETE FROM oauth_registrations WHERE id = $1 AND expires_at > app_now()
  RETURNING id, name, redirect_uris AS "redirectUris"`;

/** Removes one and returns it, for the caller to store elsewhere. */
export async function takeRegistration(db: Db, id: string): Promise<Registration | undefined> {
  const [row] = await db.query<Registration>(takeSql, [id]);
  return row;
}
