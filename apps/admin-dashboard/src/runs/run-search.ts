import { definedOf } from '../parts/defined.ts';
import type { RunStatus } from '../resources/run-queries.ts';
import { runStatuses } from '../resources/run-words.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';

const sorts = ['-started_at', 'started_at', 'estimated_completion', 'name'] as const;
export type RunSort = (typeof sorts)[number];
export const runSorts: Readonly<Record<RunSort, string>> = {
  '-started_at': 'Newest first',
  started_at: 'Oldest first',
  estimated_completion: 'Done first',
  name: 'By name',
};

/** What the address of the list contains: the filters and the order of the API. */
export type RunSearch = { status?: RunStatus; workflow_id?: string; workflow_version?: number; sort?: RunSort };

/** Reads the address and ignores unknown parts, so that old and mistyped links open. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  const texts = readTexts(search, ['status', 'workflow_id', 'workflow_version', 'sort']);
  const version = Number(texts.workflow_version);
  const found = {
    status: oneOf(runStatuses, texts.status),
    workflow_id: texts.workflow_id,
    workflow_version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    sort: oneOf(sorts, texts.sort),
  };
  return definedOf(found) as RunSearch;
}
