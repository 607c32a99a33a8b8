import { randomUUID } from 'node:crypto';
import type { Permission } from '@eas/contracts';
import { z } from 'zod';
import type { Place } from '../../agent/agent.ts';
import { type AskedQuestion, askedQuestion } from '../../agent/handle-line.ts';
import type { Asking } from './answer-agent.ts';
import { type Answer, filledForm, type Question } from './form.ts';
import { olderFormOf } from './permission-of.ts';
import { isAsk, isGranted, isMisfit } from './permission-result.ts';

const given = z.looseObject({
  input_id: z.string(),
  answer: z.string().nullish(),
  content: filledForm.nullish(),
  comment: z.string().nullish(),
  expired: z.boolean().nullish(),
});

/** Longest prompt that the service takes. */
const maxPromptLength = 65_536;

export type PeopleHooks = {
  /** Takes what they say without being asked. */
  onMessage: (message: object) => Promise<void>;
  /** Called with the input of an answer that the agent gets in this turn. */
  onAnswered: (inputId: string) => void;
  /** Called when one was asked that long ago (ms), and has not answered. */
  late: { afterMs: number; onLate: () => void };
};

/** The people that an agent talks with in a turn, which ends with the signal. */
export function createPeople(place: Place, ending: AbortSignal, { onMessage, onAnswered, late }: PeopleHooks) {
  const { keeper } = place;
  const waiting = new Map<string, (answer: Answer | undefined) => void>();
  const alone = oneAtATime();

  /** Undefined: it expired, or the turn ends before. */
  async function answerTo(asked: AskedQuestion): Promise<Answer | undefined> {
    place.onAsked(asked);
    const timer = setTimeout(late.onLate, late.afterMs);
    const answer = await new Promise<Answer | undefined>((done) => {
      waiting.set(asked.id, done);
      ending.addEventListener('abort', () => done(undefined), { once: true });
    });
    clearTimeout(timer);
    waiting.delete(asked.id);
    // The answer may come before the slot to go on with it.
    await keeper.running(ending);
    if (answer && !ending.aborted) onAnswered(asked.id);
    return answer;
  }

  async function ask(question: Question): Promise<Answer | 'misfit' | undefined> {
    await keeper.running(ending);
    if (ending.aborted) return undefined;
    const prompt = question.prompt.replaceAll('\0', '').slice(0, maxPromptLength).toWellFormed();
    const result = await keeper.call('inputs', { ...question, prompt });
    if (isMisfit(result)) return 'misfit';
    const asked = askedQuestion(result);
    return asked && answerTo(asked);
  }

  /** Asks the service; if that asks a person, asks again with the answer. */
  async function permit(permission: Permission, onAsked: () => void): Promise<boolean | undefined> {
    const body = { call_id: randomUUID(), permission };
    const older = olderFormOf(permission);
    for (;;) {
      await keeper.running(ending);
      if (ending.aborted) return undefined;
      const result = await keeper.call('permissions', body);
      if (isMisfit(result) && older && body.permission !== older) {
        body.permission = older;
        continue;
      }
      const asked = isAsk(result) ? askedQuestion(result) : undefined;
      if (!asked) return isGranted(result);
      onAsked();
      const answer = await answerTo(asked);
      if (!answer) return undefined;
      if (answer.comment) await onMessage({ id: `comment ${asked.id}`, kind: 'message', content: answer.comment });
    }
  }

  const asking: Asking = {
    ask: (question) => alone(() => ask(question)),
    permit: (permission, onAsked) => alone(() => permit(permission, onAsked)),
  };
  return {
    ...asking,
    listener: {
      async say(message: object): Promise<boolean> {
        const { data } = given.safeParse(message);
        const isAnswer = (message as { kind?: unknown }).kind === 'answer';
        const take = isAnswer && data ? waiting.get(data.input_id) : undefined;
        if (take && data) take(data.expired === true ? undefined : answerOf(data));
        else await onMessage(message);
        return true;
      },
    },
  };
}

const answerOf = ({ answer, content, comment }: z.infer<typeof given>): Answer => ({
  answer: answer ?? undefined,
  content: content ?? undefined,
  comment: comment ?? undefined,
});

/** A task waits for one answer at a time; agents use several tools at once. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
