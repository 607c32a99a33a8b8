import type { WorkflowDefinition } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { findVersion } from './workflow.read-model.ts';

export type FoundDefinition = { workflowId: string; version: number; definition: WorkflowDefinition };

/** Versions never change, so they are cached; the least recently used ones are dropped. */
const kept = new Map<string, FoundDefinition & { size: number }>();
const maxKeptChars = 32 * 1024 * 1024;
let keptChars = 0;

/** The definition of a version of a workflow; undefined where there is none. */
export async function findDefinition(
  scope: DbScope,
  { workflowId, version }: { workflowId: string; version: number },
): Promise<FoundDefinition | undefined> {
  const key = `${scope.tenantId} ${workflowId} ${version}`;
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const definition = await findVersion(scope, workflowId, version);
  return definition && keep(key, { workflowId, version, definition });
}

function keep(key: string, found: FoundDefinition): FoundDefinition {
  const size = JSON.stringify(found.definition).length;
  keptChars += size - (kept.get(key)?.size ?? 0);
  kept.set(key, { ...found, size });
  for (const [oldest, { size: freed }] of kept) {
    if (keptChars <= maxKeptChars || oldest === key) break;
    kept.delete(oldest);
    keptChars -= freed;
  }
  return found;
}
