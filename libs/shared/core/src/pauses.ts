/** Others wait that long at most, in ms, plus the one step that is under way. */
const maxTurnMs = 8;

/** For long loops: awaited after each step, it lets others have the event loop once the steps have taken 8 ms. */
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
