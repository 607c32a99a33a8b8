import type { NewArtifact } from '@eas/contracts';
import type { Agent, Session } from '../agent/agent.ts';
import type { Api } from '../api/api.ts';
import type { Author } from '../git/commit.ts';
import type { Upstream } from '../presets/providers.ts';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import type { TaskProfile } from '../profile/task-profile.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import type { LastWords } from '../verdict/happened.ts';
import type { Workplace } from '../project/workplace.ts';
import type { Mask } from '../key/mask.ts';
import type { Claim } from './claim.ts';
import type { Mailbox } from './people/mailbox.ts';
import type { FinalVerdict } from './report.ts';
import type { TaskFolder } from './task-folder.ts';

export type AttemptParts = {
  api: Api;
  agentId: string;
  agent: Agent;
  project: ProjectSettings;
  workspace: string;
  author: Author;
  timeoutSeconds: number;
  /** Providers of models whose keys the runner has. */
  upstreams: readonly Upstream[];
  cut: AbortSignal;
  claimed: Claim;
  keeper: LeaseKeeper;
  mailbox: Mailbox;
  taskFolder: TaskFolder;
  /** Hides keys and secrets from readers. */
  mask: Mask;
  log: Log;
};

/** An attempt whose agent can take turns. `signal` aborts when the lease is lost, or the runner ends. */
export type OpenAttempt = AttemptParts & {
  signal: AbortSignal;
  workplace: Workplace | undefined;
  profile: TaskProfile | undefined;
  session: Session;
  budgetStop: BudgetStop;
};

/** Why an agent cannot go on without more of a budget: the last call was refused, or its own count is at the limit. */
export type BudgetStop = { refused?: string | undefined; exhausted?: string | undefined };

/** How an attempt ends. `stopped`: its lease is lost, or the runner ends. */
export type AttemptEnd =
  { verdict: FinalVerdict; words: LastWords; artifacts: NewArtifact[] } | { stopped: 'lost' | 'cut' };
