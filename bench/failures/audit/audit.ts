import { auditDeliveries } from './audit-deliveries.ts';
import type { AuditInput } from './audit-input.ts';
import { auditState } from './audit-state.ts';
import { auditWork } from './audit-work.ts';
import type { Finding } from './finding.ts';

/** Compares what clients had acknowledged with what is there, after everything has settled. */
export function audit(input: AuditInput): Finding[] {
  return [...auditWork(input), ...auditDeliveries(input), ...auditState(input)];
}
