/** How Node runs an app's TypeScript sources, wherever it runs. */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  // V8 collects garbage beside the program on as many threads as it has. Where apps and Postgres share cores, that holds
  // everything up for 100 ms; one thread is enough.
  '--v8-pool-size=1',
  // The heap may double before all of it is gone through again, in place of growing by half.
  '--heap-growing-percent=100',
  // What thousands of waiting requests hold is copied at each collection of young objects: of 32 MB at once in 90 ms, of 8
  // in 20.
  '--max-semi-space-size=8',
];
