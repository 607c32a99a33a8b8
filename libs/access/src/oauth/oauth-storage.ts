import type { SecretBox } from '@eas/core';
import { brokenConstraint, type Database, type Tx } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { hashCredential } from '../rules/hash-credential.ts';
import { secretCell } from './client.ts';
import { findProtocolClient, findRecord, type ProtocolClient } from './protocol.read-model.ts';
import { registerClient } from './register-client.ts';
import { isWaiting } from './registration.store.ts';
import { consumeRecord, deleteGrantOf, deleteRecord, extendGrant, saveRecord } from './record.store.ts';
import type { OauthRecord, RecordKind, RecordPayload } from './record.ts';

type RecordInput = {
  clientId: string;
  userId: string | null;
  grantId: string | null;
  scopes: readonly string[];
  payload: RecordPayload;
  validForSeconds: number;
};

/**
 * Storage of clients, grants, codes and tokens of the authorization server; ids and secrets are never stored in plain
 * text.
 */
export type OauthStorage = {
  /** A client that was not deleted, with its secret in plain text; null: a public client. */
  findClient(id: string): Promise<ProtocolClient | undefined>;
  /** Whether that is a program which registered itself and has no tenant yet. */
  isWaiting(clientId: string): Promise<boolean>;
  register(client: { name: string; redirectUris: string[] }): Promise<{ id: string }>;
  /** `consumedAt` is null as long as it may be used again. */
  find(kind: RecordKind, id: string): Promise<OauthRecord | undefined>;
  /** False: its client or its grant is gone, so nothing was stored. */
  save(kind: RecordKind, id: string, record: RecordInput): Promise<boolean>;
  /**
   * Uses up a code or refresh token. False: it was used before, and everything from its grant is revoked. For a minute
   * a refresh token may be used again, which returns the same successor.
   */
  consume(kind: RecordKind, id: string): Promise<boolean>;
  /** Deletes one; a grant together with everything from it. */
  destroy(kind: RecordKind, id: string): Promise<void>;
};

export function createOauthStorage(parts: { database: Database; secrets: SecretBox }): OauthStorage {
  const { database, secrets } = parts;
  const { db } = database;
  return {
    async findClient(id) {
      const client = isClientId(id) ? await findProtocolClient(db, id) : undefined;
      if (!client?.secret) return client;
      return { ...client, secret: secrets.open(client.secret, secretCell(client.tenantId, id)) };
    },
    isWaiting: async (id) => isClientId(id) && (await isWaiting(db, id)),
    register: (client) => registerClient(db, client),
    async find(kind, id) {
      const record = await findRecord(db, kind, hashCredential(id));
      if (!record?.consumedAt) return record;
      const usableSince = usableSinceOf(kind, database.clock.now());
      return usableSince && record.consumedAt > usableSince ? { ...record, consumedAt: null } : record;
    },
    save: (kind, id, record) => save(database, kind, id, record),
    async consume(kind, id) {
      const hash = hashCredential(id);
      const record = await findRecord(db, kind, hash);
      if (!record) return false;
      return database.inTransaction(record.tenantId, async (tx) => {
        const at = database.clock.now();
        if (await consumeRecord(tx, hash, { at, usableSince: usableSinceOf(kind, at) })) return true;
        await deleteGrantOf(tx, hash);
        await auditRevoked(tx, record, { used_twice: kind });
        tx.notify('access', record.clientId);
        return false;
      });
    },
    async destroy(kind, id) {
      const hash = hashCredential(id);
      const record = await findRecord(db, kind, hash);
      if (!record) return;
      await database.inTransaction(record.tenantId, async (tx) => {
        await deleteRecord(tx, hash);
        if (kind === 'grant') await auditRevoked(tx, record);
        if (record.userId !== null) tx.notify('access', record.userId);
      });
    },
  };
}

/**
 * Tokens that were first used after this time may be used again; null: none. A client whose response was lost repeats
 * its request, and two threads of a client send it at once. Neither means that a token was stolen.
 */
const usableSinceOf = (kind: RecordKind, now: Date): Date | null =>
  kind === 'refresh_token' ? new Date(now.getTime() - 60_000) : null;

/** Whether a text can be the id of a client at all, without a look-up. */
const isClientId = (id: string) => /^[\x21-\x7e]{1,128}$/.test(id);

async function save(database: Database, kind: RecordKind, id: string, record: RecordInput): Promise<boolean> {
  const { clientId, grantId, validForSeconds, ...row } = record;
  const client = await findProtocolClient(database.db, clientId);
  if (!client) return false;
  const grantHash = grantId === null ? null : hashCredential(grantId);
  try {
    await database.inTransaction(client.tenantId, async (tx) => {
      await saveRecord(tx, { ...row, kind, hash: hashCredential(id), clientId, grantHash, validForSeconds });
      if (kind === 'grant' && row.userId !== null) {
        const data = { scopes: row.scopes };
        await recordAudit(tx, { id: row.userId }, { action: 'oauth_consent.given', target: clientId, data });
      }
      // A grant lives as long as its last refresh token.
      if (grantHash && kind === 'refresh_token') await extendGrant(tx, grantHash, validForSeconds);
    });
    return true;
  } catch (error) {
    if (brokenConstraint(error) === 'oauth_records_tenant_id_grant_hash_fkey') return false;
    throw error;
  }
}

/** The client revoked it, or another holder of its secret. */
const auditRevoked = (tx: Tx, { clientId, userId }: OauthRecord, data: Record<string, unknown> = {}) =>
  recordAudit(tx, { id: clientId }, { action: 'oauth_consent.revoked', target: userId, data });
