import { say } from '../harness/report.ts';
import { type Finding, finding } from './audit/finding.ts';
import type { Fault } from './faults/fault.ts';
import type { Counts, MixedLoad } from './clients/mixed-load.ts';
import type { Disruption } from './system/disruption.ts';
import type { System } from './system/system.ts';

/** What clients observed during a fault. */
export type Phase = Disruption & {
  fault: Fault;
  findings: Finding[];
  requests: number;
  errors: number;
  completions: number;
};

/** Phases that last this long, or as long as their fault can, are held to the limits for long runs. */
const longSeconds = 300;

export async function strike(fault: Fault, system: System, load: MixedLoad, seconds: number): Promise<Phase> {
  say(`  ${fault.name}`);
  const [before, from] = [await load.counts(), Date.now()];
  const findings = (await fault.strike(system, Math.min(seconds, fault.maxSeconds ?? Infinity))) ?? [];
  const [after, to] = [await load.counts(), Date.now()];
  return {
    fault,
    findings,
    from,
    to,
    requests: after.requests - before.requests,
    errors: sum(after.errors) - sum(before.errors),
    completions: after.completions - before.completions,
  };
}

const sum = (counts: Counts['errors']) => Object.values(counts).reduce((all, count) => all + count, 0);

const secondsOf = ({ from, to }: Disruption) => (to - from) / 1_000;

const shareOfErrors = ({ requests, errors }: Phase): string => `${((errors * 100) / requests).toFixed(2)} %`;

export function rowsOf(phases: readonly Phase[]): (string | number)[][] {
  const head = ['fault', 'seconds', 'requests', 'errors', 'of the requests', 'tasks completed a second'];
  const rows = phases.map((phase) => {
    const seconds = secondsOf(phase);
    const perSecond = Math.round(phase.completions / seconds);
    return [phase.fault.name, Math.round(seconds), phase.requests, phase.errors, shareOfErrors(phase), perSecond];
  });
  return [head, ...rows];
}

/** Whether it is long, and of a fault that clients should hardly notice. */
export const isMeasure = (phase: Phase): boolean =>
  phase.fault.maxErrorShare !== undefined &&
  Math.round(secondsOf(phase)) >= Math.min(longSeconds, phase.fault.maxSeconds ?? Infinity);

export function auditErrors(phases: readonly Phase[]): Finding[] {
  return phases.filter(isMeasure).map((phase) => {
    const { fault, requests, errors } = phase;
    const maxErrorShare = fault.maxErrorShare ?? 0;
    const isWithin = errors < requests * maxErrorShare;
    const what = `errors are under ${maxErrorShare * 100} % of the requests: ${fault.name}`;
    return finding(what, requests, isWithin ? [] : [shareOfErrors(phase)]);
  });
}
