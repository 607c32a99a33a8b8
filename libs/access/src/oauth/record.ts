import type { Scope } from '@eas/contracts';

/** What the authorization server keeps; see oauth_records. */
export type RecordKind = 'interaction' | 'grant' | 'authorization_code' | 'access_token' | 'refresh_token';

/** What the protocol's library keeps of a record. Its id is not among it at rest. */
export type RecordPayload = { [name: string]: unknown };

export type OauthRecord = {
  tenantId: string;
  clientId: string;
  userId: string | null;
  payload: RecordPayload;
  /** What was granted, as far as person and client still have it. */
  scopes: Scope[];
  expiresAt: Date;
  consumedAt: Date | null;
};
