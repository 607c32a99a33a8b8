/** What an agent said on purpose about how its task ends. The last word of a kind counts. */
export type LastWords = {
  summary?: string;
  result?: Record<string, unknown>;
  scores?: Record<string, unknown>;
  fail?: string;
  handoff?: Record<string, unknown>;
  release?: Record<string, unknown>;
};

/** How a turn of an agent ended. `stop`: by itself, for a reason in the words of its protocol; `isFinal`: again would end alike. */
export type TurnEnd =
  | { kind: 'exit'; code: number }
  | { kind: 'signal'; signal: string }
  | { kind: 'stop'; reason: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'error'; message: string; isFinal?: boolean };

export type Turn = {
  end: TurnEnd;
  words: LastWords;
  /** Its last lines, or its last message. */
  text: string;
  /** The last lines of its stderr. */
  errors: readonly string[];
  /** Names of tools that it was not allowed to use. */
  denied: readonly string[];
  /** Kinds of the artifacts that it attached. */
  attached: readonly string[];
  /** Why it has no result, where the task requires one. */
  resultProblem?: string;
};

export type CheckResult = {
  name: string;
  code: number | null;
  signal: string | null;
  isTimedOut: boolean;
  seconds: number;
  /** The last of its output. */
  tail: string;
};

/** `off`: pushes are not wanted. `conflict`: the remote has other commits on the branch. */
export type PushResult =
  { kind: 'pushed' } | { kind: 'off' } | { kind: 'conflict' | 'refused' | 'unreachable'; message: string };

/** The changes of an agent to the repositories of its task, as far as they were checked. */
export type Work = {
  isCodeAsked: boolean;
  /** new: in this turn; earlier: the branch has changes, none of this turn. */
  change: 'none' | 'earlier' | 'new';
  /** Why the changes cannot be committed as they are: sentences for the agent. */
  problems: readonly string[];
  checks: readonly CheckResult[];
  push: PushResult | undefined;
};

export type Happened = {
  turn: Turn;
  /** A script without a project: its exit code and its own words are the result. */
  isScript: boolean;
  work: Work | undefined;
  /** Artifacts that the acceptance rules of the task require and no attempt has attached. */
  missing: readonly string[];
  hasReview: boolean;
  /** Whether people or reviewers gave the agent feedback on its earlier work. */
  hasFeedback: boolean;
  /** How often the agent was sent back to its work in this attempt. */
  rounds: { used: number; max: number };
};
