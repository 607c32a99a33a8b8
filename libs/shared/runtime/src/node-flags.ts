/** How Node runs an app's TypeScript sources, wherever it runs. */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  // The proxy behind /webhook/* still calls util._extend; nobody who starts the system can change that.
  '--disable-warning=DEP0060',
  // V8 collects garbage beside the program on as many threads as it has. Where apps and Postgres share cores, that holds
  // everything up for 100 ms; one thread is enough.
  '--v8-pool-size=1',
  // The heap may double before all of it is gone through again, in place of growing by half.
  '--heap-growing-percent=100',
];
