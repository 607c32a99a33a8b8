/** The system cannot start, and why, in one sentence for a person. */
export class StartError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'StartError';
  }
}
