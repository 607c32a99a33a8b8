/** Browsers apply form-action also to the redirects after a form, up to the client's address. */
export function pagePolicy(redirectUri?: string): string {
  const target = redirectUri === undefined ? '' : ` ${sourceOf(new URL(redirectUri))}`;
  const parts = ["default-src 'none'", "style-src 'self'", "img-src 'self' data:", `form-action 'self'${target}`];
  return [...parts, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

/** A policy can name hosts, but neither addresses in brackets nor what is behind a private scheme. */
const sourceOf = ({ protocol, origin, hostname }: URL): string =>
  /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
