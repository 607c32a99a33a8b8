import type { HostileEnd } from '@eas/testing/hostile-receivers';

/** Requests to each target without an end, `lanes` at a time, for so many seconds. */
export type HostileLoad = {
  targets: { name: string; url: string; ends: readonly HostileEnd[] }[];
  lanes: number;
  seconds: number;
};

export type HostileResult = {
  name: string;
  requests: number;
  /** The longest that one of them took. */
  longestMs: number;
  /** The ends that are none of those expected, as text. */
  unexpected: string[];
};
