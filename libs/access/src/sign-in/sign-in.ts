import { defaultTenantId, emailInput, type RequestSource } from '@eas/contracts';
import { addressBlock, type SecretBox } from '@eas/core';
import type { Database, UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { refuseSignIn } from '../rules/refusals.ts';
import { findByEmail, type SigningUser } from '../users/user.read-model.ts';
import type { LinkPurpose } from '../sessions/access-link.ts';
import { type DeviceToken, issueDevice, readDevice } from './known-device.ts';
import { verifyPassword } from '../sessions/password.ts';
import { changePassword, type PasswordChange, type Throttle } from './change-password.ts';
import { describeLink, type Redemption, redeemLink } from './redeem-link.ts';
import { type SignedIn, startSession } from './start-session.ts';

export type SignInParts = {
  database: Pick<Database, 'db' | 'clock' | 'inTransaction'>;
  secrets: SecretBox;
  throttle: Throttle;
};

/** `email` in lower case; `device`: the token that an earlier sign-in gave the browser. */
type Credentials = { email: string; password: string; device?: string | undefined; source: RequestSource };

/** A session, and the token by which the browser is known next time. */
export type SignedInBrowser = SignedIn & { device: DeviceToken };

/** Sign-in of people, whose tenant is unknown before. */
export type SignIn = {
  /** Throws rate_limited before it checks the password, and unauthorized. */
  signIn(credentials: Credentials): Promise<SignedInBrowser>;
  /** The purpose of a one-time link; undefined when it is unknown, used or expired. */
  describeLink(token: string): Promise<LinkPurpose | undefined>;
  /** Sets the password of a link's person, or creates the first admin, and signs in. */
  redeemLink(redemption: Redemption): Promise<SignedInBrowser>;
  /** Changes the password of the person who is signed in, and ends the other sessions of the person. */
  changePassword(ctx: UseCaseContext, change: PasswordChange): Promise<void>;
};

/** Tries per minute. */
const perAddress = 30;
const perEmailAndAddress = 10;
const perEmail = 100;
const perDevice = 10;

export const createSignIn = (parts: SignInParts): SignIn => ({
  signIn: async (credentials) => withDevice(parts, await signIn(parts, credentials)),
  describeLink: (token) => describeLink(parts, token),
  redeemLink: async (redemption) => withDevice(parts, await redeemLink(parts, redemption)),
  changePassword: (ctx, change) => changePassword(ctx, change, parts.throttle),
});

const withDevice = ({ secrets, database }: SignInParts, signedIn: SignedIn): SignedInBrowser => ({
  ...signedIn,
  device: issueDevice(secrets, signedIn.user.email, database.clock.now()),
});

/**
 * Counts a try before the password is checked. A browser in which the person has signed in before has separate tries,
 * which others cannot use up; other tries are limited by address, by both, and in total.
 */
async function countTry({ secrets, throttle }: SignInParts, { email, device, source }: Credentials): Promise<void> {
  const known = readDevice(secrets, device, email);
  if (known !== undefined) return throttle(`sign-in device ${known}`, perDevice);
  const address = addressBlock(source.remoteAddress ?? '');
  // In this order, so that an address over its limit cannot use up the tries of a person.
  await throttle(`sign-in address ${address}`, perAddress);
  await throttle(`sign-in e-mail ${email} from ${address}`, perEmailAndAddress);
  await throttle(`sign-in e-mail ${email}`, perEmail);
}

async function signIn(parts: SignInParts, credentials: Credentials): Promise<SignedIn> {
  const { database } = parts;
  const { email, password, source } = credentials;
  await countTry(parts, credentials);
  const user = await findByEmail(database.db, email);
  const isRight = await verifyPassword(password, user?.password);
  if (!isRight || !user?.password) {
    await recordRefused(database, user, credentials);
    throw refuseSignIn();
  }
  const proven = { userId: user.id, password: user.password, source, at: database.clock.now() };
  return database.inTransaction(user.tenantId, (tx) => startSession(tx, proven));
}

/**
 * An unknown address is recorded in the operator's tenant. Invalid addresses are not stored: they may be a password
 * that was typed one field too early.
 */
function recordRefused(
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
