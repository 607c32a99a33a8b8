import type { Cookies, SignIn } from '@eas/access';
import type { CallBudget } from '@eas/http';
import { z } from 'zod';
import type { Render } from './render.ts';

export type PageParts = {
  render: Render;
  signIn: SignIn;
  /** Counts wrong one-time links. Left out: no limit. */
  budget?: Pick<CallBudget, 'lookUps'> | undefined;
  cookies: Cookies;
  policyFor: (returnTo: string | undefined) => Promise<string | undefined>;
};

export const page = (description: string) => ({ description, html: true }) as const;

export const redirect = { description: 'On to the next page.' } as const;

/** A field of a form as it was typed; the schema of the body validates it. */
export const typed = (maxLength = 1_000) => z.string().max(maxLength);
