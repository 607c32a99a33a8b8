/** Actions of admins, and sign-ins and sign-outs. Each is a fact in the past tense. */
type AuditAction =
  | `api_key.${'created' | 'changed' | 'rotated' | 'revoked'}`
  | `user.${'created' | 'changed' | 'deleted'}`
  | `session.${'started' | 'refused' | 'ended'}`
  | `access_link.${'made' | 'redeemed'}`
  | `oauth_client.${'created' | 'changed' | 'rotated' | 'deleted'}`
  | `oauth_consent.${'given' | 'revoked'}`
  | `webhook.${'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'deleted'}`
  | `project.${'created' | 'changed' | 'archived' | 'unarchived'}`
  | `profile.${'created' | 'changed' | 'deleted'}`
  | `permission_policy.${'created' | 'changed' | 'deleted'}`
  | 'task_permission.deleted'
  | `budget.${'created' | 'changed' | 'deleted'}`
  | 'model_prices.changed'
  | `local_runner.${'started' | 'stopped'}`
  | `tenant.${'created' | 'changed' | 'suspended' | 'resumed' | 'deleted'}`
  | 'queue.changed'
  | 'dead_events.retried';

export type AuditRecord = {
  action: AuditAction;
  /** Id of the affected object; null if there is none. */
  target: string | null;
  /** Names and new values of changed fields. Never a secret, nor anything derived from one. */
  data?: Record<string, unknown>;
};
