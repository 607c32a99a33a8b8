import type { Scope } from '@eas/contracts';

/** A record of the authorization server; see oauth_records. */
export type RecordKind = 'interaction' | 'grant' | 'authorization_code' | 'access_token' | 'refresh_token';

/** The payload of the protocol's library. It is stored without its id. */
export type RecordPayload = { [name: string]: unknown };

export type OauthRecord = {
  tenantId: string;
  clientId: string;
  userId: string | null;
  payload: RecordPayload;
  /** The granted scopes that person and client still have. */
  scopes: Scope[];
  expiresAt: Date;
  consumedAt: Date | null;
};
