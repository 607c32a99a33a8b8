import { readCookie, requireSession, signedInCookies, type SignIn, signOut } from '@eas/access';
import { AppError } from '@eas/core';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { untouched } from './form.ts';
import { page, type PageParts, redirect, typed } from './page.ts';
import { safeReturnTo } from './return-to.ts';
import type { Field, FormState } from './views.ts';

export const signInPath = '/sign-in';

const fields: readonly Field[] = [
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
];
const returnTo = typed(8_192).optional();
const notices = { signed_out: 'You have been signed out.' } as const;
const problem = 'The e-mail address or the password is wrong.';

export function signInRoutes({ render, signIn, cookies, policyFor }: PageParts): Route[] {
  const headersFor = async (back: string | undefined): Promise<Record<string, string>> => {
    const policy = await policyFor(back);
    return policy === undefined ? {} : { 'Content-Security-Policy': policy };
  };
  const signInPage = (form: FormState, back: string | undefined, notice?: string) =>
    render(
      'form',
      { title: 'Sign in', notice },
      {
        intro: [],
        action: signInPath,
        hidden: back === undefined ? {} : { return_to: back },
        fields,
        form,
        submit: 'Sign in',
      },
    );
  return [
    defineRoute({
      method: 'GET',
      path: signInPath,
      summary: 'The page to sign in',
      tags: ['Pages'],
      access: 'public',
      query: z.object({ return_to: returnTo, done: z.enum(['signed_out']).optional() }),
      responses: { 200: page('The form.') },
      errors: [],
      handler: async (_ctx, { query: { return_to: back, done } }) => ({
        status: 200,
        body: signInPage(untouched(), back, done && notices[done]),
        headers: await headersFor(back),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: signInPath,
      summary: 'Sign in',
      tags: ['Pages'],
      access: 'public',
      form: z.object({ email: typed().default(''), password: typed().default(''), return_to: returnTo }),
      responses: { 303: redirect, 401: page('The form once more: the e-mail address or the password is wrong.') },
      errors: ['rate_limited'],
      handler: async (
        _ctx,
        { body: { email, password, return_to: back }, headers: sent, remoteAddress, requestId },
      ) => {
        const device = readCookie(sent['cookie'], cookies.device.name);
        const source = { remoteAddress, requestId };
        const signedIn = await unlessWrong(() =>
          signIn.signIn({ email: email.trim().toLowerCase(), password, device, source }),
        );
        if (!signedIn) {
          const body = signInPage({ values: { email }, errors: {}, problem }, back);
          return { status: 401, body, headers: await headersFor(back) };
        }
        const headers = { Location: safeReturnTo(back), 'Set-Cookie': signedInCookies(cookies, signedIn) };
        return { status: 303, headers };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/sign-out',
      summary: 'Sign out',
      tags: ['Pages'],
      access: { session: [] },
      isForSuspended: true,
      form: z.object({}),
      responses: { 303: redirect },
      errors: [],
      handler: async (ctx, { principal }) => {
        await signOut(ctx, requireSession(principal).sessionId);
        const headers = { Location: `${signInPath}?done=signed_out`, 'Set-Cookie': cookies.session.clear() };
        return { status: 303, headers };
      },
    }),
  ];
}

/** Undefined for an unknown e-mail address and for a wrong password alike. */
async function unlessWrong(work: () => ReturnType<SignIn['signIn']>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}
