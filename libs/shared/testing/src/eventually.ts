/** Long enough for any machine that still does something: a limit for hangs, not for slowness. */
export const hangMs = 240_000;

/** Resolves as soon as `check`, called every 10 ms, returns true; rejects after `timeoutMs`. */
export async function eventually(check: () => boolean | Promise<boolean>, timeoutMs = hangMs): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`it was not so within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
