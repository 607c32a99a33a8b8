import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Place, Session, TurnInput, TurnResult } from '../agent/agent.ts';
import { countWork } from '../agent/count-work.ts';
import type { TurnEnd } from '../verdict/happened.ts';
import { type AcpSettings, createLiveAgent, type LiveAgent, type TextsOf } from './live-agent.ts';
import { createPeople } from './asking/people.ts';
import { createProgress } from './progress.ts';
import { messageOf, promptOf, type Delivered } from './prompt-text.ts';
import type { AgentEvent } from './events/event.ts';
import { entryOf } from './events/session-entry.ts';
import { createTurnLog, type TurnLog } from './events/turn-log.ts';

/** Time that an agent has to end its turn when it is cancelled. */
const cancelMs = 2_000;

/** A coding agent that speaks the Agent Client Protocol on its stdin and stdout. */
export const acpAgent = (settings: AcpSettings): Agent => ({
  isCommand: false,
  open(place): Session {
    const agent = createLiveAgent(settings, place);
    const delivered: Delivered = new Set();
    const work = { place, agent, delivered, answerMs: settings.answerSeconds * 1_000 };
    return { take: (input) => takeTurn(work, input), close: agent.end };
  },
});

type Work = {
  place: Place;
  agent: LiveAgent;
  delivered: Delivered;
  /** How long the agent keeps running while a person is asked. */
  answerMs: number;
};

async function takeTurn(work: Work, input: TurnInput): Promise<TurnResult> {
  const { place, agent } = work;
  const { keeper, cut, timeoutSeconds } = place;
  const timeout = new AbortController();
  const stopClock = countWork(keeper, timeoutSeconds * 1_000, () => timeout.abort());
  const ending = AbortSignal.any([keeper.lost, cut, timeout.signal]);
  const log = openLog(place);
  try {
    const ended = await talk(work, input, { log, ending });
    const errors = agent.lastErrors();
    await agent.rest(ended === 'waits' ? undefined : ended, log.text());
    if (keeper.lost.aborted) return { stopped: 'lost' };
    if (cut.aborted && !timeout.signal.aborted) return { stopped: 'cut' };
    if (ended === 'waits') return { waits: true };
    const end: TurnEnd = ended ?? { kind: 'timeout', seconds: timeoutSeconds };
    return { turn: { end, words: {}, text: log.text(), errors, denied: log.denied(), attached: [] } };
  } finally {
    stopClock();
  }
}

function openLog({ record, transcript, mask }: Place): TurnLog {
  const pass = (event: AgentEvent) => {
    const entry = entryOf(event);
    if (entry) transcript.add(entry);
  };
  return createTurnLog({ record, pass, mask });
}

/** All prompts of a turn. Undefined: interrupted; `waits`: because a person did not answer for long. */
async function talk(
  { place, agent, delivered, answerMs }: Work,
  input: TurnInput,
  { log, ending }: { log: TurnLog; ending: AbortSignal },
): Promise<TurnEnd | 'waits' | undefined> {
  const progress = createProgress(place.keeper);
  const unsaid: string[] = [];
  const [late, cancelled] = [new AbortController(), new AbortController()];
  const over = AbortSignal.any([ending, late.signal]);
  /** The agent gets no answer within this time, so that it does not go on without one. */
  const askedUntil = AbortSignal.any([ending, cancelled.signal]);
  const people = createPeople(place, askedUntil, {
    onAnswered: (inputId) => void delivered.add(inputId),
    late: { afterMs: answerMs, onLate: () => late.abort() },
    async onMessage(directive) {
      const message = messageOf(directive);
      if (!message || delivered.has(message.id)) return;
      delivered.add(message.id);
      if (await agent.steer(message.text)) log.add({ kind: 'prompt', text: message.text });
      else unsaid.push(message.text);
    },
  });

  async function promptUntilDone(): Promise<TurnEnd> {
    let texts: TextsOf = (memory, last) => promptOf(input, { memory, delivered, last });
    for (;;) {
      const end = await agent.prompt(texts);
      const rest = unsaid.splice(0);
      if (end.kind !== 'stop' || end.reason !== 'end_turn' || rest.length === 0) return end;
      texts = () => rest;
    }
  }

  agent.listen({ log, people, onPlan: progress.take });
  place.onRunning(people.listener);
  try {
    const done = promptUntilDone();
    await Promise.race([done, aborted(over)]);
    // What a person says from here on is for the next turn.
    place.onRunning(undefined);
    if (!over.aborted) {
      await progress.end();
      return await done;
    }
    await agent.cancel();
    cancelled.abort();
    await Promise.race([done, sleep(cancelMs, undefined, { ref: false })]);
    return ending.aborted ? undefined : 'waits';
  } finally {
    place.onRunning(undefined);
    agent.listen(undefined);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
