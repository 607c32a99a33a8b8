import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const auditEntry = z
  .object({
    id: idOf('ID of the entry.'),
    action: z.string().max(64).meta({ description: 'What was done.', example: 'api_key.created' }),
    actor_id: idOf('Who did it: a user, a key, an agent, or `system`.'),
    credential_id: z.string().max(130).nullable().describe('The credential that was used.'),
    target_id: idOf('What it was done to.').nullable(),
    names: z
      .record(z.string().max(64), z.string().max(200))
      .describe('Name of each user, API key and OAuth client among these IDs, also of removed ones.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('Names and new values of the changed fields. Secrets are never included.'),
    remote_address: z.string().max(64).nullable().describe('The IP address of the caller.'),
    request_id: z.string().max(64).nullable().describe('ID of the request.'),
    created_at: timestampOutput.describe('When it was done.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'An entry of the audit log.',
    example: {
      id: exampleId('aud'),
      action: 'api_key.created',
      actor_id: exampleId('usr'),
      credential_id: exampleId('ses'),
      target_id: exampleId('key'),
      names: { [exampleId('usr')]: 'Ada Lovelace', [exampleId('key')]: 'CI of the web shop' },
      data: { name: 'CI of the web shop', scopes: ['tasks:read'] },
      remote_address: '203.0.113.7',
      request_id: exampleId('req'),
      created_at: exampleTime,
    },
  });
export type AuditEntry = z.infer<typeof auditEntry>;

const text = z.string().max(500);

export const auditListQuery = listQuery({
  sortable: ['created_at', 'id', 'action', 'actor_id', 'credential_id', 'target_id', 'remote_address', 'request_id'],
  filters: {
    id: text,
    action: text,
    actor_id: text,
    credential_id: text,
    target_id: text,
    remote_address: text,
    request_id: text,
    created_at: timestampInput,
    created_after: timestampInput.describe('Only entries made at or after this time.'),
    created_before: timestampInput.describe('Only entries made before this time.'),
  },
});

export const auditList = listResponse(auditEntry);
