/** Paths of the authorization server, below the base address. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  interaction: '/oauth/interaction',
  registration: '/oauth/register',
  registered: '/oauth/registered',
  metadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  /** The one resource that says so of itself. */
  resource: '/mcp',
} as const;
