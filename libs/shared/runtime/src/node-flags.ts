/** Node flags for an app's TypeScript sources, in all environments. */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  // V8 collects garbage on several threads next to the program. If apps and Postgres share cores, that holds everything
  // up for 100 ms; one thread is enough.
  '--v8-pool-size=1',
  // The heap may double before the next full collection, instead of growing by half.
  '--heap-growing-percent=100',
  // Each collection of young objects copies what thousands of waiting requests hold: 90 ms for 32 MB, 20 ms for 8 MB.
  '--max-semi-space-size=8',
];
