import type { Apps } from './apps.ts';
import type { Options } from './options.ts';
import type { Stores } from './stores.ts';

/** A rate, and what it is compared with, which was measured in the same run. */
export type Figure = {
  name: string;
  /** Each a second. */
  rate: number;
  against: { name: string; rate: number };
};

export type Recorder = (figure: Figure) => void;

/** `record`: a rate beside its yardstick, for the table of all. */
export type Bench = { options: Options; stores: Stores; apps: Apps; record: Recorder };

/** One file in bench/scenarios, exported as `scenario`. All apps are stopped before and after it. */
export type Scenario = {
  name: string;
  about: string;
  run(bench: Bench): Promise<void>;
};
