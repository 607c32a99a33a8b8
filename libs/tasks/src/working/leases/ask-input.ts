import { isDeepStrictEqual } from 'node:util';
import type { AskedInput, AskInputBody, Permission } from '@eas/contracts';
import { AppError, type Constraint, formatTimestamp, idTimeMs, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { waitsForAnswer } from './park-lease.ts';
import { parkLease } from '../../records/leases/parked-lease.store.ts';
import { underLease } from './under-lease.ts';
import { ticketIdOf } from '../../records/tasks/task.ts';
import { type Input, toInputResource } from '../../records/inputs/input.ts';
import { insertInput, pendingInputsOf } from '../../records/inputs/input.store.ts';

/** Maximum number of pending questions of a lease. */
const maxPending = 20;

/**
 * Asks a person. A blocking input parks the lease: no end, no slot, until it is answered. The same input again returns
 * the pending one, so that a call whose response was lost may be repeated.
 */
export async function askInput(ctx: UseCaseContext, call: LeaseCall<AskInputBody>): Promise<AskedInput> {
  assertFits(call.body);
  return underLease(ctx, call, (work) => ask(work, { ...call.body, permissionKey: null }), { mayBeParked: true });
}

/** `permissionKey`: the key by which a request gets the answer; null: only the directive has it. */
type Asking = Omit<AskInputBody, 'fencing_token'> & Pick<Input, 'permissionKey'>;

/** Asks under a lease that is held. Throws 409 `state` while it waits for another answer, and `limit`. */
export async function ask({ tx, lease, task, change }: LeaseWork, asking: Asking): Promise<Pick<AskedInput, 'input'>> {
  const pending = await pendingInputsOf(tx, lease);
  const same = pending.find((input) => isSame(input, asking));
  if (same) return { input: toInputResource(same) };
  if (lease.state === 'parked') throw await waitsForAnswer(tx, task.id);
  if (pending.length >= maxPending) throw tooMany();
  const { kind, prompt, options, form = null, permission = null, permissionKey } = asking;
  const { blocking: isBlocking, expires_in_seconds: expiresInSeconds } = asking;
  const id = newId('input', change.at.getTime());
  // The list by created_at is read in the order of ids: both have the same time.
  const draft = { id, taskId: task.id, leaseId: lease.id, agentId: lease.agentId, createdAt: new Date(idTimeMs(id)) };
  const asked = { kind, prompt, options, form, permission, permissionKey, isBlocking };
  const input = await insertInput(tx, { ...draft, ...asked, expiresInSeconds });
  change.addEntry('input', { input_id: id, kind, prompt, blocking: isBlocking });
  change.emit('task.asked', { ...questionOf(input), blocking: isBlocking, ticket_id: ticketIdOf(task) });
  if (isBlocking) await park({ tx, lease, task, change }, input);
  return { input: toInputResource(input) };
}

async function park({ tx, lease, change }: LeaseWork, input: Input): Promise<void> {
  await parkLease(tx, lease);
  lease.state = 'parked';
  change.move('blocked');
  change.emit('task.blocked', questionOf(input));
}

const questionOf = ({ id, agentId, kind, prompt, options, form, permission, expiresAt }: Input) => ({
  assigned_agent: agentId,
  input_id: id,
  kind,
  prompt,
  options,
  form,
  permission: permission && withoutDiff(permission),
  expires_at: formatTimestamp(expiresAt),
});

/** Events have many receivers: they contain a summary, and the input has the details. */
const withoutDiff = ({ tool, title, command }: Permission) => ({ tool, title, command: command ?? null });

function isSame(input: Input, asking: Asking): boolean {
  const { kind, prompt, options, blocking, form = null, permission = null, permissionKey } = asking;
  return isDeepStrictEqual(
    [input.kind, input.prompt, input.options, input.isBlocking, input.form, input.permission, input.permissionKey],
    [kind, prompt, options, blocking, form, permission, permissionKey],
  );
}

/** Each kind has what it asks with, and nothing of the others. */
function assertFits({ kind, options, ...parts }: AskInputBody): void {
  const refuse = (constraint: Constraint, field: string, message: string) => {
    throw new AppError('invalid_input', { violations: [{ field, constraint, message }] });
  };
  for (const part of ['form', 'permission'] as const) {
    const isGiven = parts[part] !== undefined;
    if (isGiven && kind !== part) refuse('unknown_field', part, `is not allowed for an input of the kind ${kind}`);
    if (!isGiven && kind === part) refuse('required', part, `is required for an input of the kind ${kind}`);
  }
  if (kind !== 'choice' && options.length > 0) refuse('max_length', 'options', 'must be empty unless kind is choice');
  if (kind === 'choice' && options.length < 2)
    refuse('min_length', 'options', 'must have at least 2 items for a choice');
  const repeated = options.findIndex((option, index) => options.indexOf(option) !== index);
  if (repeated !== -1) refuse('exists', `options.${repeated}`, 'must not repeat another option');
}

function tooMany(): AppError {
  const message = `The lease already has ${maxPending} pending inputs. Wait until some are answered.`;
  return new AppError('conflict', { field: 'lease_id', constraint: 'limit', message });
}
