export { generateApiKey, tierRateLimits } from './api-key.ts';
export { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticate-api-key.ts';
export { createApiKey, type CreateApiKeyInput } from './create-api-key.ts';
export { ensureBootstrapKey } from './ensure-bootstrap-key.ts';
