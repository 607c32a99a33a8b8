/** The results of all, in their order. Throws the first error only when all have ended, so that nothing goes on behind it. */
export async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
