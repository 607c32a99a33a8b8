import { isCi } from '@eas/testing/programs';
import type { Backend } from '../harness/options.ts';
import { say } from '../harness/report.ts';
import type { Fault } from './faults/fault.ts';
import { faults } from './faults/index.ts';

/** Comma-separated beginnings of names; all unless set. */
const only = process.env['FAILURES_ONLY']?.split(',');

/** The faults of a run, and the number of those that are not possible on this machine. CI must run all. */
export function chooseFaults(backend: Backend): { faults: Fault[]; skipped: number } {
  const ofBackend = faults.filter(({ backends }) => backends.includes(backend));
  const chosen = only
    ? ofBackend.filter(({ name }) => only.some((beginning) => name.startsWith(beginning)))
    : ofBackend.filter(({ isOnRequest }) => !isOnRequest);
  if (chosen.length === 0) {
    const names = ofBackend.map(({ name }) => `"${name}"`).join(', ');
    throw new Error(`FAILURES_ONLY names no fault of ${backend}: ${names}`);
  }
  const possible = chosen.filter(({ name, obstacle }) => {
    const reason = obstacle?.();
    if (reason && isCi) throw new Error(`${name}: ${reason}`);
    if (reason) say(`  left out: ${name}, as ${reason}`);
    return !reason;
  });
  return { faults: possible, skipped: chosen.length - possible.length };
}
