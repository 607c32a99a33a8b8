import type { Agent, Session } from '../agent/agent.ts';
import type { Api } from '../api/api.ts';
import type { Author } from '../git/commit.ts';
import type { ModelDoor } from '../door/model-door.ts';
import type { Upstream } from '../presets/providers.ts';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import type { TaskProfile } from '../profile/task-profile.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import type { Workplace } from '../project/workplace.ts';
import type { Claim } from './claim.ts';
import type { Mailbox } from './mailbox.ts';
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
  /** Values hidden from readers of a session. */
  secrets: readonly string[];
  log: Log;
};

/** An attempt whose agent can take turns. `signal` aborts when the lease is lost, or the runner ends. */
export type OpenAttempt = AttemptParts & {
  signal: AbortSignal;
  workplace: Workplace | undefined;
  profile: TaskProfile | undefined;
  session: Session;
  /** Undefined: the agent reaches its models by itself. */
  door: ModelDoor | undefined;
};
