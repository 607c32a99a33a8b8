import type { IncomingMessage } from 'node:http';
import { AppError } from '@eas/core';

/** Throws forbidden for what a browser sends from a page of another site. */
export function requireOwnOrigin({ headers }: IncomingMessage, baseUrl: string | undefined): void {
  const { origin, host } = headers;
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return;
  if (baseUrl !== undefined && origin === new URL(baseUrl).origin) return;
  throw new AppError('forbidden', { message: 'The request was sent from another site.' });
}
