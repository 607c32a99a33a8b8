import { z } from 'zod';
import { idOf, role } from '../../fields.ts';
import { codingAgent, localRunners } from './local-runners.ts';

// What the gateway and the supervisor of `npm start` send each other over the channel of the process.

const type = z.literal('local_runners');
const id = z.int().min(1);
/** It names a folder. */
const agentId = z.string().regex(/^[A-Za-z0-9_]{1,64}$/);

/** A runner as its supervisor keeps it. */
export const plannedRunner = z.strictObject({
  agent_id: agentId,
  key_id: idOf('ID of the key that was made for the runner.'),
  name: z.string().min(1).max(200),
  preset: codingAgent,
  role,
  concurrency: z.int().min(1).max(100),
});
export type PlannedRunner = z.infer<typeof plannedRunner>;

const call = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('list') }),
  /** Throws the reason for which a start would be refused. */
  z.strictObject({ call: z.literal('check'), preset: codingAgent }),
  z.strictObject({ call: z.literal('start'), runner: plannedRunner, api_key: z.string().min(1).max(200) }),
  /** Starts one that waits for its next try immediately. */
  z.strictObject({ call: z.literal('retry'), agent_id: agentId }),
  /** Ends the process; the runner stays listed. */
  z.strictObject({ call: z.literal('stop'), agent_id: agentId }),
  /** Removes a stopped one from the list. */
  z.strictObject({ call: z.literal('remove'), agent_id: agentId }),
]);
export type SupervisorCall = z.infer<typeof call>;

export const supervisorRequest = z.strictObject({ type, id, call });

const refusal = z.strictObject({
  code: z.enum(['not_found', 'conflict', 'server_error']),
  constraint: z.enum(['limit', 'state']).optional(),
  message: z.string().max(1_000),
});
export type SupervisorRefusal = z.infer<typeof refusal>;

const state = localRunners.omit({ available: true });
/** `key_id`: of the runner that the call was about. */
const result = z.strictObject({ state, key_id: z.string().optional() });
export type SupervisorResult = z.infer<typeof result>;

export const supervisorResponse = z.union([
  z.strictObject({ type, id, result }),
  z.strictObject({ type, id, refusal }),
]);
