import { askedInput, type AskedInput } from '@eas/contracts';
import { z } from 'zod';
import { isUnmarked, readLine, type Said } from '../command/marked-line.ts';
import type { CallResult, LeaseKeeper } from '../lease/lease-keeper.ts';
import type { LastWords } from '../verdict/happened.ts';

export type LineHandling = {
  keeper: LeaseKeeper;
  words: LastWords;
  /** Lines of the command that are for the runner begin with it. */
  mark: string;
  /** Aborts when the command is to end: nothing is waited for any longer. */
  ending: AbortSignal;
  refuse: (line: string, problem: object) => void;
  /** Called for each question that the service accepted. */
  onAsked: (input: AskedQuestion) => void;
  /** Called with the kind of each artifact that the service accepted. */
  onAttached: (kind: string) => void;
};

const asked = z.object({ input: askedInput.shape.input.pick({ id: true, kind: true, prompt: true, blocking: true }) });
export type AskedQuestion = Pick<AskedInput['input'], 'id' | 'kind' | 'prompt' | 'blocking'>;

/** The question that a call under the lease asked; undefined for other calls. */
export const askedQuestion = (result: CallResult): AskedQuestion | undefined =>
  result.kind === 'done' ? asked.safeParse(result.body).data?.input : undefined;

/** Does what a line of the command asks for; false for a line that asks for nothing. */
export async function handleLine(
  { keeper, words, mark, ending, refuse, onAsked, onAttached }: LineHandling,
  line: string,
): Promise<boolean> {
  const said = readLine(line, mark);
  if (!said) {
    if (isUnmarked(line)) refuse(line, { message: 'A line for the runner must begin with the text of $SAY' });
    return false;
  }
  if (said.kind === 'misspoken') {
    refuse(line, { message: said.problem });
    return true;
  }
  const call = callOf(said);
  if (!call) {
    recordWords(words, said);
    return true;
  }
  // While a person is asked, reports wait, and with them the command once its pipe is full.
  await keeper.running(ending);
  if (ending.aborted) return true;
  const result: CallResult = await keeper.call(call.verb, call.body);
  if (result.kind === 'refused') refuse(line, result.error);
  const question = askedQuestion(result);
  if (question) onAsked(question);
  if (said.kind === 'artifact' && result.kind === 'done') onAttached(String(said.body['kind']));
  return true;
}

type Call = { verb: string; body: Record<string, unknown> };

/** The call that reports it; undefined for what is reported when the command ends. */
function callOf(said: Said): Call | undefined {
  switch (said.kind) {
    case 'progress':
      return { verb: 'progress', body: said.body };
    case 'milestone':
      return { verb: 'progress', body: { milestones: [said.milestone] } };
    case 'artifact':
      return { verb: 'artifacts', body: said.body };
    case 'ask':
      return { verb: 'inputs', body: said.body };
    case 'checkpoint':
      return { verb: 'checkpoint', body: { data: said.body } };
    default:
      return undefined;
  }
}

function recordWords(words: LastWords, said: Said): void {
  if (said.kind === 'summary' || said.kind === 'fail') words[said.kind] = said.text;
  else if (said.kind === 'result' || said.kind === 'scores' || said.kind === 'handoff' || said.kind === 'release')
    words[said.kind] = said.body;
}
