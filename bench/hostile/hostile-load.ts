import type { HostileEnd } from '@eas/testing/hostile-receivers';

/** Endless requests to each target, `parallel` at a time, for `seconds`. */
export type HostileLoad = {
  targets: { name: string; url: string; ends: readonly HostileEnd[] }[];
  parallel: number;
  seconds: number;
};

export type HostileResult = {
  name: string;
  requests: number;
  /** The longest request. */
  longestMs: number;
  /** Unexpected results, as text. */
  unexpected: string[];
};
