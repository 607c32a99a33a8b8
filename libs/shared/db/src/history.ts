export type HistoryEntry = { number: number; type: string; text: string };

/** An append-only list whose entries appear in the order of their numbers. Streams follow it. */
export type History = {
  /** Identifies it among all histories; the key of its wake-ups on the channel `stream`. */
  key: string;
  /** Number of its newest entry when it was opened; 0 when there was none. */
  last: number;
  /**
   * Entries after a number in ascending order, at most `limit`. Fewer than that: there are no more, unless the page was
   * cut at 1 MiB.
   */
  readAfter(number: number, limit: number): Promise<HistoryEntry[]>;
};
