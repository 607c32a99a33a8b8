import { AppError } from '@eas/core';

/** A reader of bytes from outside, in a file `<what>.fuzz.ts` next to it, exported as `fuzz`. */
export type FuzzTarget = {
  name: string;
  /** Valid inputs to start with. */
  corpus: readonly (string | Buffer)[];
  /** Throws when the input is not handled as it has to be. A refusal (AppError) is handling. */
  check(input: Buffer): void | Promise<void>;
};

/** The result of reading, or undefined if it refuses with AppError; any other error is rethrown. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
