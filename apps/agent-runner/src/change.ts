/** A signal that several callers can wait for. */
export type Change = {
  notify(): void;
  /** Resolves at the next notification. */
  next(): Promise<void>;
};

export function createChange(): Change {
  let resolve = () => {};
  const fresh = () => new Promise<void>((done) => void (resolve = done));
  let promise = fresh();
  return {
    notify() {
      resolve();
      promise = fresh();
    },
    next: () => promise,
  };
}
