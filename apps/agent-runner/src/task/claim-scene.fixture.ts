import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimContext, Directive, ErrorResponse, ProfileResource, Repository } from '@eas/contracts';
import { gitOf } from '../git/remote.fixture.ts';
import type { Upstream } from '../presets/providers.ts';
import { afterEach, beforeEach } from '@jest/globals';
import type { Agent } from '../agent/agent.ts';
import { commandAgent } from '../agent/command-agent.ts';
import type { ApiResponse, Call } from '../api/api.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import { createMask } from '../key/mask.ts';
import { workOnTask, type WorkOptions } from './work-on-task.ts';

export const taskId = 'tsk_1';
/** The branch of its work, and what is logged once its agent has ended and the answer is still to come. */
export const [branch, waits] = [`task/${taskId}`, `${taskId} waiting for a person`];
/** What an agent that is played has written. */
export const helloIn = (url: string): string => gitOf(url, 'show', `${branch}:hello.txt`);
export const at = (ms: number) => new Date(Date.now() + ms).toISOString();

const task = {
  id: taskId,
  title: 'Work',
  description: 'Do it.',
  status: 'in_progress',
  priority: 'medium',
  tags: [],
  due_date: null,
  assigned_role: 'rd',
  assigned_agent: 'agt_1',
  metadata: {},
  project: null,
  created_at: at(0),
  updated_at: at(0),
};
const context: ClaimContext = {
  attempt: 1,
  failures: 0,
  lost_leases: 0,
  checkpoint: null,
  handoff: null,
  artifacts: [],
  answers: [],
  contract: null,
  parent: null,
  project: null,
};
const project: ProjectSettings = {
  env: process.env,
  gitEnv: process.env,
  serverEnv: {},
  copyFrom: undefined,
  setupSeconds: 60,
  remoteSeconds: 60,
  graceSeconds: 1,
  maxFileBytes: 1e6,
  pushes: true,
  maxRounds: 2,
};

const responseOf = (body: unknown, error?: ErrorResponse['error']): ApiResponse => ({
  status: error ? 400 : 200,
  body,
  error,
  dateMs: Date.now(),
  sentAtMs: performance.now(),
  cameAtMs: performance.now(),
});

/** For `onCall`: the service refuses the call, as the lease waits for an answer. */
export const leaseWaits = {
  error: {
    code: 'conflict',
    message: 'The lease waits.',
    details: { field: 'lease_id', constraint: 'state' },
    request_id: 'req_1',
  } satisfies ErrorResponse['error'],
};

const noProfile: ErrorResponse['error'] = { code: 'not_found', message: 'None.', details: {}, request_id: 'req_1' };

function profileResponse(profile: Partial<ProfileResource> | undefined): ApiResponse {
  if (!profile) return { ...responseOf({}, noProfile), status: 404 };
  const holders = { roles: ['rd'], agents: [], description: null };
  const settings = { instructions: null, model: null, effort: null, skills: [], mcp_servers: [], checks: [] };
  const head = { id: 'prf_1', name: 'Backend', version: 3, created_at: at(0), updated_at: at(0) };
  return responseOf({ ...head, ...holders, ...settings, ...profile });
}

export type Scene = {
  closesStdin?: boolean;
  directives?: Directive[];
  context?: Partial<ClaimContext>;
  settings?: Partial<ProjectSettings>;
  agent?: Agent;
  profile?: Partial<ProfileResource>;
  timeoutSeconds?: number;
  upstreams?: Upstream[];
  left?: WorkOptions['left'];
  /** Takes the lines of the log as they come. */
  lines?: string[];
};

/** A person who answers what is asked first, as `onCall` of a claim. */
export function answers(more: object): (call: Call) => object {
  let isAsked = false;
  return ({ path, body }) => {
    if (path.endsWith('/inputs')) {
      isAsked = true;
      const { kind, prompt } = body as { kind: string; prompt: string };
      return { expires_at: null, input: { id: 'inp_1', kind, prompt, blocking: true } };
    }
    if (!isAsked) return {};
    return { directives: [{ id: 'dir_1', kind: 'answer', input_id: 'inp_1', ...more }], expires_at: at(60_000) };
  };
}

const isRequest = ({ path }: Call) => path.endsWith('/permissions');
const allowed = { decision: 'allow', reason: null, input: null };

type Person = { comment?: string; afterMs?: number; mayAnswer?: () => boolean };

/** A person who is asked for permission first, and answers after that time and once `mayAnswer`, as `onCall` of a claim. */
export function permits(
  decision: 'allow' | 'reject',
  { comment, afterMs = 0, mayAnswer = () => true }: Person = {},
): (call: Call) => object {
  let askedAt = Infinity;
  const isAnswered = () => performance.now() >= askedAt + afterMs && mayAnswer();
  return (call: Call): object => {
    if (isRequest(call) && isAnswered()) return { ...allowed, decision };
    if (isRequest(call)) {
      askedAt = Math.min(askedAt, performance.now());
      const input = { id: 'inp_1', kind: 'permission', prompt: 'echo', blocking: true };
      return { ...allowed, decision: 'ask', input, expires_at: null };
    }
    if (askedAt === Infinity) return {};
    if (!isAnswered()) return { expires_at: null };
    const answered = {
      input_id: 'inp_1',
      decision: decision === 'allow' ? 'allow_once' : 'reject',
      comment: comment ?? null,
    };
    return { directives: [{ id: 'dir_1', kind: 'answer', ...answered }], expires_at: at(60_000) };
  };
}

/** A service with one task, and a workspace that ends with the test. */
export function useClaims() {
  let workspace = '';
  beforeEach(() => void (workspace = mkdtempSync(join(tmpdir(), 'work-'))));
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  /** A claim of the task, worked on by a command. `onCall` returns fields to add to the usual response body. */
  function scene(exec: string, given: Scene = {}, onCall: (call: Call) => object = () => ({})) {
    const { directives = [], closesStdin = false, lines = [] } = given;
    const calls: Call[] = [];
    const cut = new AbortController();
    const api = async (call: Call) => {
      if (call.path.endsWith('/profile')) return profileResponse(given.profile);
      calls.push(call);
      const { error, ...more } = onCall(call) as { error?: ErrorResponse['error'] };
      const usual = { expires_at: at(60_000), directives: [], ...(isRequest(call) ? allowed : {}) };
      return responseOf({ ...usual, ...more }, error);
    };
    const lease = { lease_id: 'lse_1', fencing_token: 1, expires_at: at(60_000) };
    const command = { line: exec, env: process.env, graceSeconds: 1, closesStdin };
    const work = workOnTask(
      {
        api,
        log: (line: string) => void lines.push(line),
        workspace,
        isTidy: false,
        agentId: 'agt_1',
        upstreams: given.upstreams ?? [],
        mask: createMask(['a secret of the runner']),
        checkMs: 20,
        timeoutSeconds: given.timeoutSeconds ?? 280,
        agent: given.agent ?? commandAgent(command),
        author: { name: 'Ada', email: 'agt_1@noreply.invalid' },
        project: { ...project, gitEnv: given.settings?.env ?? project.gitEnv, ...given.settings },
        cut: cut.signal,
        onChange: () => {},
      },
      responseOf({ task, lease, context: { ...context, ...given.context }, directives }),
      { after: async () => {}, left: given.left },
    );
    const read = (name: string) => readFileSync(join(workspace, taskId, name), 'utf8');
    const bodies = (verb: string) => calls.filter(({ path }) => path.endsWith(`/${verb}`)).map(({ body }) => body);
    return { work, lines, calls, read, bodies, cut };
  }

  /** The end of the task when it has a project with these repositories. */
  async function run(
    exec: string,
    repositories: readonly TaskRepository[],
    given: Scene = {},
    onCall?: (call: Call) => object,
  ) {
    const shown = { id: 'prj_1', name: 'Shop', repositories: [...repositories] };
    const result = scene(exec, { ...given, context: { project: shown, ...given.context } }, onCall);
    await result.work.done;
    const [complete] = result.bodies('complete') as Record<string, unknown>[];
    const [fail] = result.bodies('fail') as { reason: string; retryable: boolean }[];
    const artifacts = result.bodies('artifacts') as Artifact[];
    return { ...result, complete, fail, artifacts, kinds: artifacts.map(({ kind }) => kind) };
  }

  /** The end of the task with one repository. */
  const work = (url: string, given: Scene, onCall?: (call: Call) => object) =>
    run('', [repositoryOf(url)], given, onCall);
  return { scene, run, work, workspace: () => workspace };
}

type Artifact = { kind: string; title: string; sha: string; data: Record<string, unknown>; content?: string };
type TaskRepository = Repository & { is_named: boolean };

export const repositoryOf = (url: string, more: Partial<TaskRepository> = {}): TaskRepository => ({
  url,
  base_branch: 'main',
  setup: null,
  copy_files: [],
  checks: [],
  is_named: false,
  ...more,
});
