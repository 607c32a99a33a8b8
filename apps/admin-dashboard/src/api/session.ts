import { useState, useSyncExternalStore } from 'react';
import type { components } from '../generated/api.ts';
import { basePath } from './base-path.ts';
import { removeAllDrafts, removeOtherDrafts } from './drafts.ts';
import { heldCalls } from './held-calls.ts';
import { offlineProblem, problemOf } from './problem.ts';

type Session = components['schemas']['Session'];
export type Scope = components['schemas']['Scope'];

type State = { session: Session | undefined; hasEnded: boolean };

const path = `${basePath}/admin/api/session`;
let state: State = { session: undefined, hasEnded: false };
const listeners = new Set<() => void>();
let renewal: { promise: Promise<void>; resolve: () => void } | undefined;

function setState(next: State): void {
  state = next;
  listeners.forEach((listener) => listener());
}

async function callSession(init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init).catch(() => {
    throw offlineProblem();
  });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw problemOf(response.status, response.headers, body);
}

const readSession = async (): Promise<Session> => (await (await callSession()).json()) as Session;

/** Reads the session of the browser's cookie; throws signed_out without one. */
export async function loadSession(): Promise<Session> {
  const session = await readSession();
  removeOtherDrafts(session.user.id);
  setState({ session, hasEnded: false });
  return session;
}

/** The user of this page; '' before the session was read. */
export const currentUserId = (): string => state.session?.user.id ?? '';

/** Sent with each change, so that no other site can make changes in the person's name. */
export const csrfToken = (): string => state.session?.csrf_token ?? '';

/** Asks the person to sign in again; resolves when that is done and the request can be sent again. */
export function waitForSignIn(): Promise<void> {
  if (!renewal) {
    let resolve = () => {};
    const promise = new Promise<void>((done) => (resolve = done));
    renewal = { promise, resolve };
    setState({ ...state, hasEnded: true });
  }
  return renewal.promise;
}

/** Signs in without leaving the page; throws a Problem. */
export async function signInAgain(email: string, password: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await callSession({ method: 'POST', headers, body: JSON.stringify({ email, password }) });
  const session = (await response.json()) as Session;
  // Another person signed in: the content of the page is not theirs.
  if (session.user.id !== currentUserId()) return location.reload();
  setState({ session, hasEnded: false });
  renewal?.resolve();
  renewal = undefined;
}

/** A sign-in in another tab changes the token of the cookie. Returns whether it is a new one of the same person. */
export async function renewToken(): Promise<boolean> {
  const before = csrfToken();
  const session = await readSession();
  if (session.user.id !== currentUserId()) {
    location.reload();
    return false;
  }
  setState({ session, hasEnded: false });
  return session.csrf_token !== before;
}

export async function signOut(): Promise<void> {
  if (!(await heldCalls.sendAll())) throw new Error('A decision was not accepted. Read why, then sign out again.');
  await callSession({ method: 'DELETE', headers: { 'x-csrf-token': csrfToken() } });
  removeAllDrafts();
  location.assign(`${basePath}/sign-in?done=signed_out`);
}

export function goToSignIn(): void {
  const here = location.pathname.slice(basePath.length) + location.search;
  location.assign(`${basePath}/sign-in?return_to=${encodeURIComponent(here)}`);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): State => useSyncExternalStore(subscribe, () => state);

/**
 * Whether the person has this scope. Content stays on the page when the right is revoked later: the API refuses
 * the change with a message, and forms keep what was typed.
 */
export function useMay(scope: Scope): boolean {
  const may = useSession().session?.user.scopes.includes(scope) ?? false;
  const [could] = useState(may);
  return may || could;
}
