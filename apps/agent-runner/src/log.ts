export type Log = (line: string) => void;

export const log: Log = (line) =>
  void process.stderr.write(`${new Date().toISOString()} ${line.replaceAll(controls, ' ')}\n`);

/** Titles and output come from strangers: a line of theirs must not look like one of ours, nor move the cursor. */
const controls = /\p{Cc}/gu;

export const logOf =
  (write: Log, taskId: string): Log =>
  (line) =>
    write(`${taskId} ${line}`);
