import { signedInCookies, type SignIn } from '@eas/access';
import { createUserBody, newPassword, passwordLength } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { readAs, submit, untouched } from './form.ts';
import { page, type PageParts, redirect, typed } from './page.ts';
import type { Field, FormState } from './views.ts';

type Link = NonNullable<Awaited<ReturnType<SignIn['describeLink']>>>;

const nameField: Field = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' };
const emailField: Field = { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' };
const passwordField: Field = {
  name: 'password',
  label: 'Password',
  hint: `${passwordLength.min} to ${passwordLength.max} characters. Several words in a row make a good password.`,
  type: 'password',
  autocomplete: 'new-password',
};
const { name, email } = createUserBody.shape;
const token = typed(200).default('');

/** What each kind of link asks for. Users see their e-mail address, also for password managers. */
const kinds = {
  first_admin: {
    title: 'Welcome',
    about: 'This creates the first administrator account, which has every scope. The link works once.',
    fields: [nameField, { ...emailField, hint: 'Used to sign in.' }, passwordField],
    read: readAs(z.object({ name, email, password: newPassword })),
    submit: 'Create the administrator account',
  },
  set_password: {
    title: 'Set your password',
    about: 'You will use it to sign in. The link works once.',
    fields: [{ ...emailField, isFixed: true }, passwordField],
    read: readAs(z.object({ password: newPassword, email: email.optional() })),
    submit: 'Set password',
  },
};

export function welcomeRoutes({ render, signIn, budget, cookies }: PageParts): Route[] {
  const findLink = linkFinder(signIn, budget);
  const linkPage = (link: Link, linkToken: string, form: FormState) => {
    const { title, about, fields, submit: submitText } = kinds[link.purpose];
    const known = link.purpose === 'first_admin' ? {} : { email: link.email };
    const intro = link.purpose === 'first_admin' ? [about] : [`Welcome, ${link.name}. ${about}`];
    const shown = { ...form, values: { ...form.values, ...known } };
    const view = { intro, action: '/admin/welcome', hidden: { token: linkToken }, fields, form: shown };
    return render('form', { title }, { ...view, submit: submitText });
  };
  const deadPage = () =>
    render(
      'message',
      { title: 'This link is not valid' },
      {
        texts: [
          'A link works once, within 24 hours. This one has been used, has expired, or is incomplete.',
          'Ask an administrator for a new link, or create one on the server with: npm run cmd -- admin:link',
        ],
        links: [{ path: '/sign-in', label: 'Sign in' }],
      },
    );
  return [
    defineRoute({
      method: 'GET',
      path: '/admin/welcome',
      summary: 'What a one-time link opens',
      tags: ['Pages'],
      access: 'public',
      query: z.object({ token }),
      responses: { 200: page('The form.'), 404: page('The link is used, expired or unknown.') },
      errors: ['rate_limited'],
      handler: async (_ctx, { query, remoteAddress }) => {
        const link = await findLink(query.token, remoteAddress);
        if (!link) return { status: 404, body: deadPage() };
        return { status: 200, body: linkPage(link, query.token, untouched()) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/admin/welcome',
      summary: 'Use a one-time link',
      tags: ['Pages'],
      access: 'public',
      form: z.object({
        token,
        name: typed().optional(),
        email: typed().optional(),
        password: typed().default(''),
      }),
      responses: {
        303: redirect,
        400: page('The form once more.'),
        403: page('The form once more.'),
        404: page('The link is used, expired or unknown.'),
        409: page('The form once more: it cannot be used now.'),
      },
      errors: ['rate_limited'],
      handler: async (_ctx, { body, remoteAddress, requestId }) => {
        const link = await findLink(body.token, remoteAddress);
        if (!link) return { status: 404, body: deadPage() };
        const { token: linkToken, ...values } = body;
        const { fields, read } = kinds[link.purpose];
        const outcome = await submit({ values, fields }, async () =>
          signIn.redeemLink({ ...read(values), token: linkToken, source: { remoteAddress, requestId } }),
        );
        if ('refused' in outcome) {
          const { status, form } = outcome.refused;
          return { status, body: linkPage(link, linkToken, form) };
        }
        const headers = { Location: '/admin', 'Set-Cookie': signedInCookies(cookies, outcome.done) };
        return { status: 303, headers };
      },
    }),
  ];
}

/** The purpose of a link; an address that tries too many is refused before links are read. */
function linkFinder(signIn: PageParts['signIn'], budget: PageParts['budget']) {
  return async (linkToken: string, remoteAddress: string): Promise<Link | undefined> => {
    await budget?.lookUps.ask(remoteAddress);
    const link = await signIn.describeLink(linkToken);
    if (!link) await budget?.lookUps.count(remoteAddress);
    return link;
  };
}
