import { reasonOf, type Settled } from '@eas/receiving';
import type { ResultMark } from '@eas/integrations';

/** What became of the receipts of each integration: whether any was applied, and why the last one failed that did. */
export function resultMarks(settled: readonly Settled[]): ResultMark[] {
  const marks = new Map<string, ResultMark>();
  for (const one of settled) {
    const mark = marks.get(one.integrationRef) ?? { id: one.integrationRef, isApplied: false, errorReason: null };
    if (one.status === 'applied') mark.isApplied = true;
    if (one.status === 'failed') mark.errorReason = reasonOf(one);
    marks.set(one.integrationRef, mark);
  }
  return [...marks.values()];
}
