import { defaultTenantId, emailInput, type RequestSource } from '@eas/contracts';
import { addressBlock } from '@eas/core';
import type { Database } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { refuseSignIn } from '../authentication/refusals.ts';
import { findByEmail, type SigningUser } from '../users/user.read-model.ts';
import type { LinkPurpose } from './access-link.ts';
import { verifyPassword } from './password.ts';
import { describeLink, type Redemption, redeemLink } from './redeem-link.ts';
import { type SignedIn, startSession } from './start-session.ts';

/** Counts one attempt under a key; throws rate_limited beyond `perMinute`. */
export type Throttle = (key: string, perMinute: number) => Promise<void>;

export type SignInParts = { database: Pick<Database, 'db' | 'clock' | 'inTransaction'>; throttle: Throttle };

/** `email` in lower case. */
export type Credentials = { email: string; password: string; source: RequestSource };

/** How people come in: before it, nobody knows which tenant they belong to. */
export type SignIn = {
  /** Throws rate_limited before it looks at the password, and unauthorized. */
  signIn(credentials: Credentials): Promise<SignedIn>;
  /** What a one-time link is for; undefined when it is unknown, used or expired. */
  describeLink(token: string): Promise<LinkPurpose | undefined>;
  /** Sets the password of a link's person, or makes the first admin, and signs in. */
  redeemLink(redemption: Redemption): Promise<SignedIn>;
};

const perAddress = 30;
const perEmail = 10;

export const createSignIn = (parts: SignInParts): SignIn => ({
  signIn: (credentials) => signIn(parts, credentials),
  describeLink: (token) => describeLink(parts, token),
  redeemLink: (redemption) => redeemLink(parts, redemption),
});

async function signIn({ database, throttle }: SignInParts, credentials: Credentials): Promise<SignedIn> {
  const { email, password, source } = credentials;
  // The address first: who is over its limit cannot use up the tries of a person.
  await throttle(`sign-in address ${addressBlock(source.remoteAddress ?? '')}`, perAddress);
  await throttle(`sign-in e-mail ${email}`, perEmail);
  const user = await findByEmail(database.db, email);
  const isRight = await verifyPassword(password, user?.password);
  if (!isRight || !user?.password) {
    await noteRefused(database, user, credentials);
    throw refuseSignIn();
  }
  const proven = { userId: user.id, password: user.password, source };
  return database.inTransaction(user.tenantId, (tx) => startSession(tx, proven));
}

/**
 * An address that nobody has is noted where the installation's own people are. What is no address is not kept: it may
 * be a password that was typed one field too early.
 */
function noteRefused(
  database: SignInParts['database'],
  user: SigningUser | undefined,
  { email, source }: Credentials,
): Promise<void> {
  const actor = { id: 'anonymous', via: source };
  const data = emailInput.safeParse(email).success ? { email } : {};
  return database.inTransaction(user?.tenantId ?? defaultTenantId, (tx) =>
    recordAudit(tx, actor, { action: 'session.refused', target: user?.id ?? null, data }),
  );
}
