import type { Place } from '../../agent/agent.ts';
import { askedQuestion } from '../../agent/handle-line.ts';
import type { Answer, Question } from './form.ts';

type Given = { kind?: unknown; input_id?: unknown; answer?: unknown; comment?: unknown; expired?: unknown };

/** Longest prompt that the service takes. */
const maxPromptLength = 65_536;

export type PeopleHooks = {
  /** Takes what they say without being asked. */
  onMessage: (message: object) => Promise<void>;
  /** Called when one was asked that long ago (ms), and has not answered. */
  late: { afterMs: number; onLate: () => void };
};

/** The people that an agent talks with in a turn. */
export function createPeople(place: Place, { onMessage, late }: PeopleHooks) {
  const waiting = new Map<string, (answer: Answer | undefined) => void>();

  return {
    listener: {
      async say(message: object): Promise<boolean> {
        const { kind, input_id: id, answer, comment, expired } = message as Given;
        const take = kind === 'answer' ? waiting.get(String(id)) : undefined;
        if (take) take(expired === true ? undefined : { answer: textOf(answer), comment: textOf(comment) });
        else await onMessage(message);
        return true;
      },
    },
    /** Asks a person; undefined without an answer: it was refused, expired, or the turn ends before. */
    async ask(question: Question, ending: AbortSignal): Promise<Answer | undefined> {
      const { keeper } = place;
      await keeper.running(ending);
      if (ending.aborted) return undefined;
      const prompt = question.prompt.replaceAll('\0', '').slice(0, maxPromptLength).toWellFormed();
      const asked = askedQuestion(await keeper.call('inputs', { ...question, prompt }));
      if (!asked) return undefined;
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
      return answer;
    },
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
