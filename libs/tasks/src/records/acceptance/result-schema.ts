import { createHash } from 'node:crypto';
import { AppError, createFairSlots } from '@eas/core';
import { LRUCache } from 'lru-cache';
import { BudgetExceeded, type BudgetedThread, createBudgetedThread } from './budgeted-thread.ts';
import { type Problem, problemOf } from './schema-rules.ts';
import type { SchemaResponse, SchemaRequest } from './schema-thread.ts';

type Schema = Record<string, unknown>;

/** Throws invalid_input for a schema that breaks a rule; it is only read, not compiled. */
export function assertResultSchema(schema: Schema): void {
  const problem = problemOf(schema);
  if (problem) throw refusal(problem);
}

/** Schemas that were found usable, by their text. */
const usable = new LRUCache<string, true>({ max: 500 });

/**
 * Throws invalid_input for a schema that is not one of the dialect, or takes too long to compile. It waits for a thread,
 * so it is called outside transactions; a schema that was found usable lately costs nothing. assertResultSchema comes first.
 */
export async function assertUsableSchema(tenantId: string, schema: Schema): Promise<void> {
  const text = JSON.stringify(schema);
  if (usable.get(text)) return;
  const { problem } = await ask(tenantId, { schema });
  if (problem) throw refusal(problem);
  usable.set(text, true);
}

/** Mismatches between a result and a schema: dotted paths from `result`, and a reason if the path is not enough. */
export type Misfits = { paths: string[]; reason?: string };

/** Check results of the last minute, by the digest of schema and result. A check that failed may succeed later. */
const found = new LRUCache<string, Misfits>({ max: 500, ttl: 60_000 });

/**
 * Returns where a result does not match a schema. It waits for a thread, so it is called outside transactions; a result
 * that was checked lately costs nothing.
 */
export async function misfitsOf(tenantId: string, schema: Schema, result: unknown): Promise<Misfits> {
  const digest = createHash('sha256')
    .update(JSON.stringify([schema, result]))
    .digest('base64');
  const known = found.get(digest);
  if (known) return known;
  const { misfits, problem } = await ask(tenantId, { schema, result });
  const reason = problem && `the result cannot be checked: the schema ${problem.message}`;
  const given = reason === undefined ? { paths: misfits ?? [] } : { paths: ['result'], reason };
  found.set(digest, given);
  return given;
}

const processorMs = 2_000;
const tooMuchWork: Problem = {
  path: [],
  constraint: 'max_size',
  message: `takes more than ${processorMs / 1_000} s of processor time or 128 MB of memory to check; simplify the schema`,
};

/** One tenant's schemas never take both threads or all waiting slots. */
const slots = createFairSlots({ slots: 2, maxWaiting: 400 });
const entry = new URL('./schema-thread.ts', import.meta.url);
const idle: BudgetedThread<SchemaRequest, SchemaResponse>[] = [];

async function ask(tenantId: string, request: SchemaRequest): Promise<SchemaResponse> {
  const leave = await slots.enter(tenantId);
  if (!leave) throw tooManyChecks();
  const thread = idle.pop() ?? createBudgetedThread(entry, { processorMs, memoryMb: 128 });
  try {
    return await thread.ask(request);
  } catch (error) {
    if (error instanceof BudgetExceeded) return { problem: tooMuchWork };
    throw error;
  } finally {
    idle.push(thread);
    leave();
  }
}

function tooManyChecks(): AppError {
  const message = 'Too many result schemas of this tenant are being checked. Try again later.';
  return new AppError('rate_limited', { message, headers: { 'Retry-After': '1' } });
}

function refusal({ path, constraint, message }: Problem): AppError {
  const field = ['contract.result_schema', ...path].join('.').slice(0, 500).toWellFormed();
  return new AppError('invalid_input', { violations: [{ field, constraint, message }] });
}
