import { z } from 'zod';
import { idOutput, timestampInput, timestampOutput } from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';

/** One line of the audit log: what was done, by whom, to what. */
export const auditEntry = z.object({
  id: idOutput.meta({ example: 'aud_01ks0000000000000000000000' }),
  action: z.string().max(64).meta({ example: 'api_key.created' }),
  actor_id: idOutput.meta({ description: 'A user, a key, an agent, or system.' }),
  credential_id: z.string().max(130).nullable().meta({ description: 'What the actor presented.' }),
  target_id: idOutput.nullable(),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Names and new values of what changed, never secrets.' }),
  remote_address: z.string().max(64).nullable(),
  request_id: z.string().max(64).nullable(),
  created_at: timestampOutput,
});
export type AuditEntry = z.infer<typeof auditEntry>;

const text = z.string().max(500);

export const auditListQuery = listQuery({
  sortable: [
    ...(['created_at', 'id', 'action', 'actor_id', 'credential_id', 'target_id'] as const),
    ...(['remote_address', 'request_id'] as const),
  ],
  filters: {
    id: text,
    action: text,
    actor_id: text,
    credential_id: text,
    target_id: text,
    remote_address: text,
    request_id: text,
    created_at: timestampInput,
  },
});

export const auditList = listResponse(auditEntry);
