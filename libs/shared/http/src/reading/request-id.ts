import { newId } from '@eas/core';

const accepted = /^[A-Za-z0-9._-]{8,64}$/;

/** The caller's own X-Request-Id if it has the accepted form, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && accepted.test(header) ? header : newId('request');
}
