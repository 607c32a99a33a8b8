import type { Apps } from './apps.ts';
import type { Options } from './options.ts';
import type { Stores } from './stores.ts';

/** A rate, and what it is compared with, which was measured in the same run. */
export type Measured = {
  /** Empty where the scenario has one figure only. */
  name: string;
  /** Each a second. */
  rate: number;
  against: { name: string; rate: number };
};

export type Figure = Measured & { scenario: string };

/** Throws when there is no ratio of the two rates. */
export type Recorder = (measured: Measured) => void;

/** `record`: a rate next to its yardstick, for the table of all. */
export type Bench = { options: Options; stores: Stores; apps: Apps; record: Recorder };

/** One file in bench/scenarios, exported as `scenario`. All apps are stopped before and after it. */
export type Scenario = {
  name: string;
  about: string;
  run(bench: Bench): Promise<void>;
};
