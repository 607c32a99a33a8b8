import { z } from 'zod';
import { requiredText } from '../../fields.ts';
import { examplePermission, permissionInput } from '../asking/permission.ts';
import { expiresInSeconds, inputResource } from '../inputs.ts';
import { exampleExpiry, fencingToken, leaseResult } from '../leases.ts';

export const requestPermissionBody = z
  .strictObject({
    fencing_token: fencingToken,
    call_id: requiredText(200).describe(
      'Your ID of the tool call. A repeated request with the same one gets the same answer; the answer of a person is for one call.',
    ),
    permission: permissionInput,
    expires_in_seconds: expiresInSeconds,
  })
  .meta({
    id: 'RequestPermission',
    description: 'What the agent wants to do.',
    example: { fencing_token: 1, call_id: 'call_1', permission: examplePermission, expires_in_seconds: 3_600 },
  });
export type RequestPermissionBody = z.output<typeof requestPermissionBody>;

export const permissionResult = leaseResult
  .extend({
    decision: z
      .enum(['allow', 'reject', 'ask'])
      .describe(
        'allow: go on. reject: do without it. ask: a person was asked; request it again after the answer. New values can be added.',
      ),
    reason: z.string().max(65_536).nullable().describe('Why it is rejected, for the agent. null: no reason was given.'),
    input: inputResource.nullable().describe('What a person was asked. null: no person was asked for this call.'),
  })
  .meta({
    id: 'PermissionResult',
    base: 'LeaseState',
    description: 'Whether the agent may, and the state of the lease.',
    example: { expires_at: exampleExpiry, directives: [], decision: 'allow', reason: null, input: null },
  });
export type PermissionResult = z.infer<typeof permissionResult>;
