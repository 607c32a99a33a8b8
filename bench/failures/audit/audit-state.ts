import type { AuditInput } from './audit-input.ts';
import { type Finding, finding } from './finding.ts';

/**
 * Statements on a connection that fell silent are given up after 10 s. Agents that waited for one lose their leases at
 * most so long after the fault, plus the time of a lease.
 */
const afterEffectMs = 30_000;
/**
 * Refusals that are correct: an agent whose lease was given to another one, and an agent that gave up a claim which was
 * granted at the same time.
 */
const expectedRefusals = new Set(['409 lease_lost', '409 limit']);

/** Rules that hold whatever clients did: no event is pending, data agree, and no refusal lacks a reason. */
export function auditState(input: AuditInput): Finding[] {
  const { facts, counts } = input;
  const { backlog, unmatched, rollups, recounted } = facts;
  return [
    finding('no event is pending', 0, numbers(backlog.pending)),
    finding('no event is dead', 0, numbers(backlog.dead)),
    finding('a task has a lease exactly while it is worked on', facts.tasks.length, unmatched),
    auditLostLeases(input),
    finding('figures are what counting again gives', recounted.length, differences(rollups, recounted)),
    finding('no request was given up', counts.requests, numbers(counts.givenUp)),
    finding(
      'clients were refused only leases that they had lost or already held',
      counts.requests,
      Object.entries(counts.refusals)
        .filter(([refusal]) => !expectedRefusals.has(refusal))
        .map(([refusal, times]) => `${refusal} (${times})`),
    ),
  ];
}

function auditLostLeases({ facts: { leases }, faults, leaseSeconds }: AuditInput): Finding {
  const lost = leases.filter(({ endReason }) => endReason === 'expired');
  const lateMs = leaseSeconds * 1_000 + afterEffectMs;
  const isExplained = (at: number) => faults.some(({ from, to }) => at >= from && at <= to + lateMs);
  return finding(
    `leases were lost (${lost.length}) by faults alone`,
    leases.length,
    lost.filter(({ endedAt }) => !isExplained(endedAt ?? 0)).map(({ id }) => id),
  );
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

/** Rows that only one of the two has. */
function differences(some: readonly object[], others: readonly object[]): string[] {
  const [left, right] = [textsOf(some), textsOf(others)];
  return [...[...left].filter((text) => !right.has(text)), ...[...right].filter((text) => !left.has(text))];
}

const textsOf = (rows: readonly object[]): Set<string> => new Set(rows.map((row) => JSON.stringify(row)));
