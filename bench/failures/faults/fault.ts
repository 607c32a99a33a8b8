import type { Backend } from '../../harness/options.ts';
import type { System } from '../system.ts';

/** Something that goes wrong while clients are at work. When `strike` is done it is over. */
export type Fault = {
  name: string;
  backends: readonly Backend[];
  /** Only struck when it is chosen by its name. */
  isOnRequest?: boolean;
  /** `seconds`: how long it lasts, where it lasts. */
  strike(system: System, seconds: number): Promise<void>;
};
