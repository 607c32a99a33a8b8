import type { Apps } from './apps.ts';
import type { Recorder } from './figures.ts';
import type { Options } from './options.ts';
import type { Stores } from './stores.ts';

/** `record`: a rate beside its yardstick, for the table of all. */
export type Bench = { options: Options; stores: Stores; apps: Apps; record: Recorder };

/** One file in bench/scenarios, exported as `scenario`. All apps are stopped before and after it. */
export type Scenario = {
  name: string;
  about: string;
  run(bench: Bench): Promise<void>;
};
