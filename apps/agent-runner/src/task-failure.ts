/** Why a task cannot be worked on or finished here; the message is a sentence for people. */
export class TaskFailure extends Error {
  readonly isRetryable: boolean;

  constructor(reason: string, isRetryable: boolean) {
    super(reason);
    this.isRetryable = isRetryable;
  }
}
