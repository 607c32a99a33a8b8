import { AppError } from '@eas/core';

/** Something that reads bytes from outside, in a file `<what>.fuzz.ts` beside it, exported as `fuzz`. */
export type FuzzTarget = {
  name: string;
  /** Inputs to begin with: good ones. */
  corpus: readonly (string | Buffer)[];
  /** Throws when the input is not handled as it has to be. A refusal (AppError) is handling. */
  check(input: Buffer): void | Promise<void>;
};

/** What reading gives, or undefined where it refuses with AppError; any other error passes. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
