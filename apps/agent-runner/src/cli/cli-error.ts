/** Exit codes of `eas`, for scripts. 0: it worked. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
  notCompleted: 7,
} as const;

/** A sentence for the person who typed the command, and the exit code. */
export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
