import type { ModelAccess } from '../presets/model-access.ts';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { TaskProfile } from '../profile/task-profile.ts';
import type { Mask } from '../key/mask.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Turn } from '../verdict/happened.ts';
import type { AskedQuestion } from './handle-line.ts';

/** Where an agent works on one task, and what it is connected with; the same for all its turns. */
export type Place = {
  taskId: string;
  /** The folder of the task, with `task.json` and the inbox. */
  folder: string;
  workFolder: string;
  /** Added to its environment. */
  env: Readonly<Record<string, string>>;
  /** How the agent works; undefined: it has no profile. */
  profile: TaskProfile | undefined;
  /** Undefined: the agent reaches its models by itself. */
  access: (ModelAccess & { takeUse(): boolean }) | undefined;
  keeper: LeaseKeeper;
  /** Longest turn, without the time that it waits for people. */
  timeoutSeconds: number;
  /** The runner ends, and so must the agent. */
  cut: AbortSignal;
  /** Logs a line of its output. */
  record: (line: string) => void;
  /** Masks secrets in its texts, before those are cut. */
  mask: Mask;
  /** Shows people what it says and does. */
  transcript: Pick<Transcript, 'add'>;
  /** Called when a budget is used up by what the agent says that it used. */
  onExhausted: (reason: string) => void;
  /** Called for each question that the service accepted. */
  onAsked: (input: AskedQuestion) => void;
  /** Called with a function that delivers messages of people while a turn runs, and with undefined when it is over. */
  onRunning: (listener: { say(message: object): Promise<boolean> } | undefined) => void;
};

/** Input of a turn: the task, what is known of it, and what is new since the last turn. */
export type TurnInput = {
  task: object;
  context: object;
  directives: readonly object[];
  run: number;
  /** Where the repositories of the task are, and their branches. */
  repositories?: readonly object[];
  /** How it is to work: instructions, skills, model and effort. */
  profile?: TaskProfile['shown'];
  /** Why the work of the previous turn is not done yet. */
  feedback?: string;
};

/**
 * `stopped`: the turn was interrupted, without a reason to report. `waits`: interrupted too, because a person was asked and
 * has not answered; the next turn continues with the answer.
 */
export type TurnResult = { turn: Turn } | { stopped: 'lost' | 'cut' } | { waits: true };

export type Session = {
  /** One turn, until nothing that it started runs any longer. Later turns go on where the one before ended. */
  take(input: TurnInput): Promise<TurnResult>;
  close(): Promise<void>;
};

/** A way to drive agents: one for each protocol that they speak. */
export type Agent = {
  /** Whether it is a command that reports its result by lines and exit code. */
  isCommand: boolean;
  open(place: Place): Session;
};
