import type { InputResource } from '@eas/contracts';
import { isId } from '@eas/core';
import { type Block, button, type Button, type ChatContent, content, context, section } from './blocks.ts';
import { escaped, plain } from './chat-text.ts';
import { fallbackOf, headlineBlock, type ShownEvent, pageUrl, skippedBlock } from './event-message.ts';
import { lineOf } from './event-lines.ts';

/** What a message shows of an input that waits. */
export type Question = {
  inputId: string;
  kind: InputResource['kind'];
  prompt: string;
  options: readonly string[];
  expiresAt: string;
};

export const questionOf = ({ id, kind, prompt, options, expires_at: expiresAt }: InputResource): Question => ({
  inputId: id,
  kind,
  prompt,
  options,
  expiresAt,
});

/** Which button it is: its input, and the index of an option or a decision. */
const blockIdOf = (integrationId: string, inputId: string): string => `${integrationId}:${inputId}`;
const openAction = 'open';
const choiceAction = /^answer:(\d{1,2})$/;

/** What a button of `action_id` says. Undefined: it answers nothing. */
export function answerOfAction(
  actionId: string,
  options: readonly string[],
): { answer: string } | { decision: 'approve' | 'reject' } | undefined {
  if (actionId === 'approve' || actionId === 'reject') return { decision: actionId };
  const option = options[Number(choiceAction.exec(actionId)?.[1] ?? -1)];
  return option === undefined ? undefined : { answer: option };
}

/** The blocks of a question. `integrationId`: clicks on its buttons are taken; undefined: they are not. */
export function questionMessage(event: ShownEvent, question: Question, integrationId: string | undefined): ChatContent {
  const line = lineOf(event.type, event.data);
  const buttons = [...(integrationId === undefined ? [] : answerButtons(question)), ...openButton(event)];
  return content(fallbackOf(line), [
    headlineBlock(event, line),
    section(escaped(question.prompt)),
    optionsBlock(question, integrationId !== undefined),
    buttons.length > 0
      ? { type: 'actions', block_id: blockIdOf(integrationId ?? 'none', question.inputId), elements: buttons }
      : undefined,
    context(`Waits for an answer until ${dateText(question.expiresAt)}.`),
    skippedBlock(event.skipped),
  ]);
}

/** The integration and input that a button belongs to; undefined: it is none of ours. */
export function targetOfBlock(blockId: string): { integrationId: string; inputId: string } | undefined {
  const [integrationId = '', inputId = '', ...rest] = blockId.split(':');
  if (rest.length > 0 || !isId('integration', integrationId) || !isId('input', inputId)) return undefined;
  return { integrationId, inputId };
}

/** `why`: what the input was cancelled for, if that is known. */
export type SettledQuestion = { input: InputResource; why?: string | undefined; now: Date };

/** What became of a question at that moment, in place of its buttons. */
export function settledQuestionMessage(event: ShownEvent, settled: SettledQuestion): ChatContent {
  const line = lineOf(event.type, event.data);
  return content(fallbackOf(line), [
    headlineBlock(event, line),
    section(escaped(settled.input.prompt)),
    section(settledText(settled)),
    skippedBlock(event.skipped),
  ]);
}

function settledText({ input, why, now }: SettledQuestion): string {
  const { status, answer, decision, answered_by: by, answered_by_name: name } = input;
  const isDue = status === 'pending' && Date.parse(input.expires_at) <= now.getTime();
  if (status === 'expired' || isDue) return 'This question has expired.';
  if (status === 'cancelled') return `This question was cancelled${why === undefined ? '' : `: ${why}`}.`;
  if (status === 'pending') return 'This question could not be answered here.';
  const said = decision === null ? `answered: ${escaped(answer ?? '', 2_000)}` : (decisions[decision] ?? decision);
  return `*${escaped(name ?? by ?? 'somebody', 200)}* ${said}`;
}

const decisions = { approve: 'approved this.', reject: 'rejected this.' };

function answerButtons({ kind, options }: Question): Button[] {
  if (kind === 'approval')
    return [
      button('Approve', { action_id: 'approve', style: 'primary' }),
      button('Reject', { action_id: 'reject', style: 'danger' }),
    ];
  return options.slice(0, 20).map((option, index) => button(option, { action_id: `answer:${index}` }));
}

function openButton(event: ShownEvent): Button[] {
  const url = pageUrl(event);
  return url === undefined ? [] : [button('Open', { action_id: openAction, url })];
}

/** Options that a button cannot show, or that have no buttons, are written out. */
function optionsBlock({ options }: Question, hasButtons: boolean): Block | undefined {
  if (hasButtons && options.every((option) => plain(option) === option)) return undefined;
  const lines = options.map((option, index) => `${index + 1}. ${escaped(option, 140)}`);
  return lines.length > 0 ? section(lines.join('\n')) : undefined;
}

/** In the reader's own time zone. */
function dateText(iso: string): string {
  const seconds = Math.floor(Date.parse(iso) / 1_000);
  return Number.isNaN(seconds) ? escaped(iso, 64) : `<!date^${seconds}^{date_short_pretty} {time}|${escaped(iso, 64)}>`;
}
