import type { OauthStorage, RecordKind } from '@eas/access';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';

const kinds: Readonly<Record<string, RecordKind>> = {
  Interaction: 'interaction',
  Grant: 'grant',
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
};

export const createAdapters =
  (storage: OauthStorage) =>
  (model: string): Adapter => {
    if (model === 'Client') return { ...nothing, find: (id) => clientMetadata(storage, id) };
    const kind = kinds[model];
    return kind ? recordAdapter(storage, kind) : nothing;
  };

/** The dashboard keeps sessions; other models are unused. Revoking a grant: the database removes what it gave. */
const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function recordAdapter(storage: OauthStorage, kind: RecordKind): Adapter {
  return {
    ...nothing,
    async upsert(id, { jti: _id, exp: _exp, consumed: _consumed, ...payload }, validForSeconds = 0) {
      const isKept = await storage.save(kind, id, {
        clientId: payload.clientId ?? String(payload.params?.['client_id']),
        userId: payload.accountId ?? null,
        grantId: (kind !== 'interaction' && payload.grantId) || null,
        scopes: scopesOf(payload),
        payload,
        validForSeconds,
      });
      if (!isKept) throw new errors.InvalidGrant('the grant was revoked');
    },
    async find(id) {
      const record = await storage.find(kind, id);
      if (!record) return undefined;
      const { payload, scopes, expiresAt, consumedAt } = record;
      return {
        ...payload,
        ...withScopes(kind, scopes.join(' ')),
        jti: id,
        exp: epochSeconds(expiresAt),
        ...(consumedAt ? { consumed: epochSeconds(consumedAt) } : {}),
      };
    },
    async consume(id) {
      if (!(await storage.consume(kind, id))) throw new errors.InvalidGrant('the grant was already used');
    },
    destroy: (id) => storage.destroy(kind, id),
  };
}

const epochSeconds = (date: Date) => Math.floor(date.getTime() / 1_000);

function scopesOf(payload: AdapterPayload): string[] {
  const { scope, openid } = payload as { scope?: string; openid?: { scope?: string } };
  return (scope ?? openid?.scope ?? '').split(' ').filter((word) => word !== '');
}

/** The grant may have shrunk since the token was issued: its current scopes are read. */
function withScopes(kind: RecordKind, scope: string): AdapterPayload {
  if (kind === 'interaction') return {};
  return kind === 'grant' ? { openid: { scope } } : { scope };
}

/** A client as the library describes it. Confidential clients may send their secret in either way. */
async function clientMetadata(storage: OauthStorage, id: string): Promise<AdapterPayload | undefined> {
  const client = await storage.findClient(id);
  if (!client) return undefined;
  const { name, redirectUris, secret } = client;
  const authentication =
    secret === null
      ? { token_endpoint_auth_method: 'none', application_type: 'native' }
      : { token_endpoint_auth_method: 'client_secret_post', application_type: 'web', client_secret: secret };
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    ...authentication,
  } as AdapterPayload;
}
