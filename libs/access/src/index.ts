export { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authentication/authenticator.ts';
export { generateApiKey, isPlausibleKey } from './keys/api-key.ts';
export { createApiKey, type CreateApiKeyInput } from './keys/create-api-key.ts';
export { ensureBootstrapKey, ensureFolderKey, type FirstKeyChange } from './keys/ensure-bootstrap-key.ts';
export { type AuditAction, type AuditRecord } from './audit/audit.ts';
export { recordAudit } from './audit/audit.store.ts';
export { listAudit } from './audit/list-audit.ts';
export { type Giver, giverOf, tierRateLimits } from './rules/giver.ts';
export { hashCredential } from './rules/hash-credential.ts';
export { changeApiKey } from './keys/change-api-key.ts';
export { getApiKey } from './keys/get-api-key.ts';
export { listApiKeys } from './keys/list-api-keys.ts';
export { mintAgentKey, mintApiKey } from './keys/mint-api-key.ts';
export { revokeAgentKeys, revokeApiKey } from './keys/revoke-api-key.ts';
export { rotateApiKey } from './keys/rotate-api-key.ts';
export { sealedClients } from './oauth/client.ts';
export { changeClient, type ClientChange } from './oauth/change-client.ts';
export { type Consent, consentFor, type ConsentRequest } from './oauth/consent-for.ts';
export { createClient } from './oauth/create-client.ts';
export { deleteClient } from './oauth/delete-client.ts';
export { type BootstrapClient, ensureBootstrapClient } from './oauth/ensure-bootstrap-client.ts';
export { getClient, listClients } from './oauth/list-clients.ts';
export { createOauthStorage, type OauthStorage } from './oauth/oauth-storage.ts';
export { type RecordKind } from './oauth/record.ts';
export { sweepOauthRecords } from './oauth/record.sweeper.ts';
export { redirectUriProblem } from './oauth/redirect-uri.ts';
export { rotateClientSecret } from './oauth/rotate-client-secret.ts';
export { isOfOperator, requireOperator } from './rules/operator.ts';
export { assertMayGive } from './rules/scopes.ts';
export { linkPath, type LinkPurpose } from './sessions/access-link.ts';
export { ensureFirstAdmin, makeFirstAdminLink } from './sign-in/first-admin.ts';
export { getSession, requireSession } from './sign-in/get-session.ts';
export { type Redemption } from './sign-in/redeem-link.ts';
export { sweepSignIns } from './sessions/session.sweeper.ts';
export { type Cookie, type Cookies, cookiesFor, readCookie } from './sessions/cookie.ts';
export {
  createSignIn,
  type Credentials,
  type SignedInBrowser,
  type SignIn,
  type SignInParts,
  type Throttle,
} from './sign-in/sign-in.ts';
export { signedInCookies } from './sign-in/signed-in-cookies.ts';
export { signOut } from './sign-in/sign-out.ts';
export { type SignedIn } from './sign-in/start-session.ts';
export { changeUser } from './users/change-user.ts';
export { createUser } from './users/create-user.ts';
export { deleteUser } from './users/delete-user.ts';
export { getUser } from './users/get-user.ts';
export { listUsers } from './users/list-users.ts';
export { makePasswordLink } from './users/make-password-link.ts';
export { deleteView } from './views/delete-view.ts';
export { listViews } from './views/list-views.ts';
export { saveView } from './views/save-view.ts';
