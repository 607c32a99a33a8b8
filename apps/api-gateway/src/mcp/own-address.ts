import { isIP } from 'node:net';
import { isLoopback } from '@eas/contracts';
import { AppError } from '@eas/core';

export type OwnAddress = { baseUrl: string; corsOrigins: readonly string[] };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Throws forbidden for requests of pages of other sites, also with DNS rebinding: their Origin and Host are not ours.
 * An IP address or localhost cannot be rebound to another machine.
 */
export function requireOwnAddress({ origin, host }: Headers, { baseUrl, corsOrigins }: OwnAddress): void {
  const own = new URL(baseUrl);
  if (origin !== undefined && origin !== own.origin && !corsOrigins.includes(String(origin)))
    throw new AppError('forbidden', { message: 'The request was sent from a page of another site.' });
  const name = hostnameOf(String(host ?? ''));
  if (name === own.hostname || isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1'))) return;
  throw new AppError('forbidden', { message: 'Host must match the host of BASE_URL.' });
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
