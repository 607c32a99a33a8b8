/** A time during which something was away or ended, in Unix ms. */
export type Disruption = { from: number; to: number };
