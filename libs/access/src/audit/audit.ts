/** What an admin did, or how a person came in or out. Each is a fact in the past tense. */
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
  | 'queue.changed'
  | 'dead_events.retried';

export type AuditRecord = {
  action: AuditAction;
  /** Id of what it was done to; null where there is nothing. */
  target: string | null;
  /** Names and new values of what changed. Never a secret, nor anything made from one. */
  data?: Record<string, unknown>;
};
