export type HistoryEntry = { number: number; type: string; text: string };

/** What only grows, in entries whose numbers never appear behind a reader. Streams follow it. */
export type History = {
  /** Names it among all histories; the key of its wake-ups on the channel `stream`. */
  key: string;
  /** Number of its newest entry when it was opened; 0 when there was none. */
  last: number;
  /** Entries after a number in ascending order, at most `limit`. Fewer than that: there are no more, unless they are long (1 MiB). */
  readAfter(number: number, limit: number): Promise<HistoryEntry[]>;
};
