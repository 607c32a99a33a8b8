import {
  type Cookies,
  getSession,
  isOfOperator,
  readCookie,
  requireSession,
  signedInCookies,
  type SignIn,
  signOut,
} from '@eas/access';
import {
  changePasswordBody,
  type Principal,
  scopes,
  sessionResource,
  signInBody,
  type UserResource,
} from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { defineRoute, type Route } from '@eas/http';

const path = '/admin/api/session';
const tags = ['Administration'] as const;
/** Any authenticated caller: people with few rights must be able to sign out too. */
const access = { scope: scopes };

type Found = { user: UserResource; csrfToken: string; expiresAt: Date };

const shownSession = ({ user, csrfToken, expiresAt }: Found, principal: Principal) => ({
  user,
  csrf_token: csrfToken,
  expires_at: formatTimestamp(expiresAt),
  is_operator: isOfOperator(principal),
});

export const adminSessionRoutes = (signIn: SignIn, cookies: Cookies): Route[] => [
  defineRoute({
    method: 'POST',
    path,
    operationId: 'signIn',
    summary: 'Sign in',
    description: [
      'Signs a person in with e-mail address and password. Use it for applications that people use in a browser; programs use API keys.',
      'The response sets the session cookie. Send the `csrf_token` as `X-CSRF-Token` with every request other than GET. Repeated wrong passwords are slowed down.',
    ],
    tags,
    access: 'public',
    body: signInBody,
    responses: {
      201: {
        description: 'The session. The cookie authenticates further requests.',
        schema: sessionResource,
        headers: { 'Set-Cookie': 'The session cookie.', Location: 'Path of the created resource.' },
      },
    },
    errors: ['unauthorized', 'forbidden', 'rate_limited', 'invalid_input'],
    handler: async (_ctx, { body, headers: sent, remoteAddress, requestId }) => {
      const device = readCookie(sent['cookie'], cookies.device.name);
      const session = await signIn.signIn({ ...body, device, source: { remoteAddress, requestId } });
      const headers = { 'Set-Cookie': signedInCookies(cookies, session), 'Cache-Control': 'no-store', Location: path };
      return { status: 201, headers, body: shownSession(session, session.principal) };
    },
  }),
  defineRoute({
    method: 'GET',
    path,
    operationId: 'getSession',
    summary: 'Get the session',
    description: [
      'Returns the session of the request. Use it to find out who is signed in. Without a session, for example with an API key, the response is 404.',
    ],
    tags,
    access,
    responses: { 200: { description: 'The session.', schema: sessionResource } },
    errors: ['not_found'],
    handler: async (ctx, { principal }) => {
      return { status: 200, body: shownSession(await getSession(ctx, principal), principal) };
    },
  }),
  passwordRoute(signIn),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'signOut',
    summary: 'Sign out',
    description: ['Ends the session of the request and removes its cookie.'],
    tags,
    access,
    isForSuspended: true,
    responses: {
      204: { description: 'Done. The response has no body.', headers: { 'Set-Cookie': 'Removes the session cookie.' } },
    },
    errors: ['not_found'],
    handler: async (ctx, { principal }) => {
      await signOut(ctx, requireSession(principal).sessionId);
      return { status: 204, headers: { 'Set-Cookie': cookies.session.clear() } };
    },
  }),
];

const passwordRoute = (signIn: SignIn): Route =>
  defineRoute({
    method: 'POST',
    path: `${path}/password`,
    operationId: 'changeOwnPassword',
    summary: 'Change your password',
    description: [
      'Changes the password of the person whose session it is. All other sessions of the person end, and applications that the person allowed to act for them lose their access.',
      'Without a session, for example with an API key, the response is 404.',
    ],
    tags,
    access,
    body: changePasswordBody,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found', 'invalid_input', 'rate_limited'],
    handler: async (ctx, { principal, body: { current_password: currentPassword, new_password: newPassword } }) => {
      await signIn.changePassword(ctx, { principal, currentPassword, newPassword });
      return { status: 204 };
    },
  });
