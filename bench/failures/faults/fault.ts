import type { Backend } from '../../harness/options.ts';
import type { Finding } from '../audit/finding.ts';
import type { System } from '../system/system.ts';

/** Something that goes wrong while clients are at work. It is over when `strike` is done. */
export type Fault = {
  name: string;
  backends: readonly Backend[];
  /** Only used when it is chosen by its name. */
  isOnRequest?: boolean;
  /** Its maximum duration, however long the run is. */
  maxSeconds?: number;
  /** Clients go on during it: in a long run this share of their requests may fail. */
  maxErrorShare?: number;
  /** Deliveries that are in flight during the fault may be sent again. */
  isCut?: boolean;
  /** Why it is not possible on this machine, if so. */
  obstacle?(): string | undefined;
  /** `seconds`: the duration, for faults that last. Returns findings about promises that hold during the fault. */
  strike(system: System, seconds: number): Promise<Finding[] | void>;
};
