import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { WorkflowDefinition } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { stored } from './change-workflow.ts';
import { readDefinition } from './read-definition.ts';
import type { ShippedWorkflow } from './workflow.read-model.ts';
import { insertVersion, insertWorkflow, lockShipped } from './workflow.store.ts';

/** A workflow that comes with the service; `shippedAs` is the name of its file. */
export type ShippedDefinition = { shippedAs: string; definition: WorkflowDefinition };

/** Reads and checks the definitions of a folder. Throws an Error that names the file and the path of the problem. */
export function readShippedWorkflows(folder: string): ShippedDefinition[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    try {
      const definition = readDefinition(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return { shippedAs: basename(file, '.json'), definition: stored(definition) };
    } catch (cause) {
      throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  });
}

/** The creator of workflows that the service ships and updates. */
const shippedBy = 'system';

/** Adds missing ones, and a new version of those whose file has changed. Workflows that the tenant changed stay. */
export async function ensureShippedWorkflows(
  ctx: UseCaseContext,
  shipped: readonly ShippedDefinition[],
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const found = new Map((await lockShipped(tx)).map((workflow) => [workflow.shippedAs, workflow]));
    for (const one of shipped) await ensureShipped(tx, { ...one, at: ctx.clock.now() }, found.get(one.shippedAs));
  });
}

async function ensureShipped(
  tx: Tx,
  { shippedAs, definition, at }: ShippedDefinition & { at: Date },
  found: ShippedWorkflow | undefined,
): Promise<void> {
  if (found === undefined) {
    const id = newId('workflow');
    await insertWorkflow(tx, { id, shippedAs, definition, createdAt: new Date(idTimeMs(id)), createdBy: shippedBy });
  } else if (found.createdBy === shippedBy && !isDeepStrictEqual(definition, found.definition))
    await insertVersion(tx, { workflowId: found.id, definition, createdAt: at, createdBy: shippedBy });
}
