/** Longest wait of other work, in ms, plus the current step. */
const maxTurnMs = 8;

/** For long loops: awaited after each step, it yields the event loop once the steps have taken 8 ms. */
export function createPauses(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < maxTurnMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        startedAt = performance.now();
        resolve();
      });
    });
  };
}
