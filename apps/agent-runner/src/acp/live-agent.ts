import type { Place } from '../agent/agent.ts';
import { accessEnv, type AccessVariable } from '../presets/model-access.ts';
import type { DenyRule } from '../presets/deny-rule.ts';
import type { TurnEnd } from '../verdict/happened.ts';
import { agentEnv } from './agent-env.ts';
import { UnfitProfileError } from './agent-error.ts';
import { answering, type Asking } from './asking/answer-agent.ts';
import { type Connection, connectAgent } from './connection.ts';
import { eventOf } from './events/event.ts';
import { promptResponse, steered } from './messages.ts';
import { type Live, openLive } from './open-live.ts';
import { keptSession } from './kept-session.ts';
import type { Memory } from './prompt-text.ts';
import { reportUsage } from './report-usage.ts';
import { withTexts } from '../key/mask.ts';
import type { TurnLog } from './events/turn-log.ts';
import type { Env } from '../key/env.ts';

export type AcpSettings = {
  /** Command that speaks the protocol, run by `sh -c`. */
  line: string;
  env: Env;
  /** Variables that point this agent at the runner for its models. */
  access?: Readonly<Record<string, AccessVariable>> | undefined;
  graceSeconds: number;
  /** The agent's mode to work in; its own default where it has no such mode. */
  mode: string | undefined;
  deny: readonly DenyRule[];
  /** How long it keeps running while a person is asked. */
  answerSeconds: number;
};

/** What a turn gets from its agent, and the callbacks of the turn. */
export type TurnHooks = {
  log: TurnLog;
  onPlan: (plan: ReturnType<TurnLog['plan']>) => void;
  people: Asking;
};

/** The texts of a prompt for a session with that memory; `last`: what was said last in a session that is gone. */
export type TextsOf = (memory: Memory, last: string | undefined) => string[];

/** The agent of one task: its process, which may end and begin again, and its session. */
export type LiveAgent = ReturnType<typeof createLiveAgent>;

export function createLiveAgent(settings: AcpSettings, place: Place) {
  const kept = keptSession(place.folder, { agent: settings.line, cwd: place.workFolder });
  let hooks: TurnHooks | undefined;
  let connection: Connection | undefined;
  let live: Live | undefined;
  let isFirst = true;

  function onUpdate(params: unknown): void {
    // A session that is being loaded replays its history.
    const { update } = (params ?? {}) as { update?: unknown };
    const event = live && eventOf(withTexts(update, place.mask.text));
    if (!event || !hooks) return;
    const { log } = hooks;
    log.add(event);
    if (event.kind === 'text') void kept.keepLast(log.text).catch(() => {});
    if (event.kind === 'plan') hooks.onPlan(event.entries);
  }

  async function open(): Promise<Live & { memory: Memory }> {
    if (live?.connection.isOpen()) return { ...live, memory: 'turns' };
    await end();
    const note = (text: string) => hooks?.log.add({ kind: 'session', text });
    const { mode } = settings;
    const { workFolder: cwd, profile } = place;
    live = await openLive({
      connect: () => (connection = connectTo(settings, place, { hooks: () => hooks, onUpdate })),
      kept,
      cwd,
      mode,
      profile,
      note,
    });
    const memory = live.session.how === 'new' ? 'nothing' : isFirst ? 'attempts' : 'turns';
    isFirst = false;
    return { ...live, memory };
  }

  async function end(): Promise<void> {
    live = undefined;
    await connection?.end();
    connection = undefined;
  }

  async function prompt(textsOf: TextsOf): Promise<TurnEnd> {
    const { connection: peer, session, info, memory, last } = await open();
    const texts = textsOf(memory, last);
    for (const text of texts) hooks?.log.add({ kind: 'prompt', text });
    const prompt = texts.map((text) => ({ type: 'text', text }));
    const response = await peer.request('session/prompt', { sessionId: session.id, prompt }, promptResponse);
    const { stopReason, failure, usage } = response;
    const isCounted = place.access?.takeUse() === true;
    const said = { agent: info.name, usage, cost: hooks?.log.usage().cost, isCounted };
    const exhausted = await reportUsage({ keeper: place.keeper, session: kept }, said);
    if (exhausted !== undefined) place.onExhausted(exhausted);
    hooks?.log.add({ kind: 'stop', text: failure ?? stopReason });
    return turnEndOf(response, hooks?.log.isActive() === true);
  }

  return {
    listen: (next: TurnHooks | undefined) => void (hooks = next),
    /** One prompt to its end, in a session that is opened where there is none. */
    prompt: (textsOf: TextsOf): Promise<TurnEnd> =>
      prompt(textsOf).catch((error: Error) => {
        return { kind: 'error', message: error.message, isFinal: error instanceof UnfitProfileError };
      }),
    /** Says something in the middle of a turn; false for an agent that cannot receive it then. */
    steer: async (text: string): Promise<boolean> => live !== undefined && steer(live, text),
    async cancel(): Promise<void> {
      if (live) await live.connection.notify('session/cancel', { sessionId: live.session.id });
    },
    /** What it wrote to stderr, if it has ended by itself. */
    lastErrors: () => (connection && !connection.isOpen() ? connection.errors() : []),
    /** After a turn: ends an agent that can resume its session in another process, and one that failed. */
    async rest(turnEnd: TurnEnd | undefined, last: string): Promise<void> {
      await kept.settle(turnEnd === undefined || turnEnd.kind === 'stop', last);
      if (turnEnd?.kind !== 'stop' || live?.info.canResume) await end();
    },
    end,
  };
}

type Listening = { hooks: () => TurnHooks | undefined; onUpdate: (params: unknown) => void };

/** Starts its process, and answers what it asks. */
function connectTo(settings: AcpSettings, place: Place, { hooks, onUpdate }: Listening): Connection {
  const answers = answering({
    deny: settings.deny,
    folder: place.workFolder,
    log: () => hooks()?.log,
    ask: async (question) => hooks()?.people.ask(question),
    permit: async (...request) => hooks()?.people.permit(...request),
  });
  // Before any of it is cut.
  const onPermission = (params: unknown) => answers.onPermission(withTexts(params, place.mask.text));
  return connectAgent(processOf(settings, place), { ...answers, onPermission, onUpdate, record: place.record });
}

/** How its process is started. */
function processOf({ line, graceSeconds, ...settings }: AcpSettings, { taskId, folder, workFolder, ...place }: Place) {
  const access = accessEnv(place.access, settings.access);
  const env = agentEnv(settings.env, place.env, access, { TASK_ID: taskId, TASK_DIR: folder });
  return { line, folder: workFolder, env, graceSeconds };
}

function turnEndOf({ stopReason, failure }: { stopReason: string; failure: string | undefined }, isActive: boolean) {
  if (failure !== undefined) return { kind: 'error', message: failure } as const;
  if (isActive) return { kind: 'stop', reason: stopReason } as const;
  const message = `The agent did nothing, and ended its turn with ${stopReason}.`;
  return { kind: 'error', message } as const;
}

async function steer({ connection, info, session }: Live, text: string): Promise<boolean> {
  if (!info.canSteer) return false;
  const request = {
    sessionId: session.id,
    prompt: [{ type: 'text', text }],
    _meta: { steering: { idleBehavior: 'promptRequired' } },
  };
  const response = await connection.request('_session/steering', request, steered).catch(() => undefined);
  return response?.outcome === 'injected';
}
