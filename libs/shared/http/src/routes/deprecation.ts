/** The deprecation of a route: since when, when it stops responding, and where its replacement is documented. */
export type Deprecation = { since: Date; sunset?: Date; link: string };

/** The headers of RFC 9745 and RFC 8594 that say so. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    ...(sunset ? { sunset: sunset.toUTCString() } : {}),
    link: `<${link}>; rel="deprecation"`,
  };
}
