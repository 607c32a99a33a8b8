import { valueAt as valueIn } from '@eas/core';

/** What conditions and templates of a run read. Steps are by their id in the definition. */
export type RunData = {
  run: { name: string };
  parameters: Record<string, unknown>;
  steps: Record<string, { status: string; result: Record<string, unknown> }>;
};

/** The value at a dotted path; undefined where there is none, and for null, which is as good as absent. */
export function valueAt(data: RunData, path: string): unknown {
  return valueIn(data, path.split('.')) ?? undefined;
}
