import type { Counts, Journal } from '../clients/mixed-load.ts';
import type { Disruption } from '../system/disruption.ts';
import type { Facts } from './facts.ts';

export type AuditInput = {
  journal: Journal;
  counts: Counts;
  facts: Facts;
  /** Every fault of the run, from its begin until it was over. */
  faults: readonly Disruption[];
  /** When deliveries on their way could be sent again: dispatchers were killed, or Postgres could not be reached. */
  cuts: readonly Disruption[];
  leaseSeconds: number;
};
