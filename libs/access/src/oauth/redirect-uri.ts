import { isLoopback } from '@eas/contracts';

/** Two slashes and a name or an address in the common form: programs parse other forms differently. */
const plainAuthority = /^[a-z]+:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?(?:[/?]|$)/i;
/** A scheme that a program registered with the system, named after a domain of its maker (RFC 8252). */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** The problem of a redirect address; undefined if it may be registered. */
export function redirectUriProblem(uri: string, isPublic: boolean): string | undefined {
  const url = URL.parse(uri);
  if (!url || !/^[\x21-\x7e]+$/.test(uri)) return 'must be an absolute URI';
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/^https?:$/.test(url.protocol) && (!plainAuthority.test(uri) || uri.includes('\\'))) return 'must name a host';
  if (url.protocol === 'https:') {
    return isPublic && isLoopback(url.hostname) ? 'must use http on a loopback address' : undefined;
  }
  if (url.protocol === 'http:') return isLoopback(url.hostname) ? undefined : 'must use https';
  if (isPublic && privateScheme.test(url.protocol)) return undefined;
  return isPublic
    ? 'must use https, http on a loopback address, or a private scheme such as com.example.app'
    : 'must use https, or http on a loopback address';
}
