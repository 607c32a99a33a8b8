import type { Cookies, SignIn } from '@eas/access';
import { maxCursorLength, type PageOfItems, scopes } from '@eas/contracts';
import { z } from 'zod';
import type { Render } from './render.ts';
import type { ListView } from './views.ts';

export type PageParts = {
  render: Render;
  signIn: SignIn;
  cookies: Cookies;
  baseUrl: string;
  /** Requests a minute of a whole tenant. */
  rateCeiling: number;
  policyFor: (returnTo: string | undefined) => Promise<string | undefined>;
};

export const page = (description: string) => ({ description, html: true }) as const;

export const redirect = { description: 'On to the next page.' } as const;

export const adminPage = { tags: ['Pages'], access: { session: ['admin'] }, errors: [] } as const;

/** A field of a form as it was typed: what it must be is for the schema of the body to say. */
export const typed = (maxLength = 1_000) => z.string().max(maxLength);

export const afterField = z.string().max(maxCursorLength).optional();
export const listPageQuery = <const D extends string>(done: readonly [D, ...D[]]) =>
  z.object({ after: afterField, done: z.enum(done).optional() });

export function pagerOf(
  path: string,
  after: string | undefined,
  { total, nextCursor }: PageOfItems<unknown>,
): Pick<ListView, 'total' | 'firstPath' | 'nextPath'> {
  return {
    total,
    firstPath: after ? path : undefined,
    nextPath: nextCursor === null ? undefined : `${path}?after=${nextCursor}`,
  };
}

export const shownTime = (timestamp: string | null, never = '–'): string =>
  timestamp === null ? never : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;

export const shownScopes = (given: readonly string[]): string =>
  given.length === scopes.length ? 'every scope' : given.join(', ');
