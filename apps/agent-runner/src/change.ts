/** Something that changes, and those who wait for that. */
export type Change = {
  tell(): void;
  /** Resolves when it changes the next time. */
  next(): Promise<void>;
};

export function createChange(): Change {
  let resolve = () => {};
  const fresh = () => new Promise<void>((done) => void (resolve = done));
  let promise = fresh();
  return {
    tell() {
      resolve();
      promise = fresh();
    },
    next: () => promise,
  };
}
