import type { Backend } from '../../harness/options.ts';
import type { Finding } from '../audit/finding.ts';
import type { System } from '../system/system.ts';

/** Something that goes wrong while clients are at work. When `strike` is done it is over. */
export type Fault = {
  name: string;
  backends: readonly Backend[];
  /** Only struck when it is chosen by its name. */
  isOnRequest?: boolean;
  /** It lasts no longer, however long the run is. */
  maxSeconds?: number;
  /** Clients go on during it: in a long run so large a share of their requests may fail. */
  maxErrorShare?: number;
  /** Deliveries that are on their way meanwhile may be sent again. */
  isCut?: boolean;
  /** Why it cannot be struck here, if so. */
  obstacle?(): string | undefined;
  /** `seconds`: how long it lasts, where it lasts. Gives what it found out about promises that hold meanwhile. */
  strike(system: System, seconds: number): Promise<Finding[] | void>;
};
