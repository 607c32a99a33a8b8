import {
  type AnswerInputBody,
  contentLines,
  fieldLines,
  fileLines,
  type InputResource,
  soleChoiceOf,
} from '@eas/contracts';
import { isId } from '@eas/core';
import { type Block, button, type Button, type ChatContent, content, context, section } from './blocks.ts';
import { escaped, plain } from './chat-text.ts';
import { fallbackOf, headlineBlock, pageUrl, type ShownEvent, skippedBlock } from './event-message.ts';
import { lineOf } from './event-lines.ts';

/** What a message shows of an input that waits. */
export type Question = {
  inputId: string;
  kind: InputResource['kind'];
  prompt: string;
  /** What it can be answered with by a click. */
  options: readonly string[];
  /** The field of a form that they are for, and their values. */
  field: { key: string; values: readonly string[] } | undefined;
  form: InputResource['form'];
  permission: InputResource['permission'];
  expiresAt: string;
};

export function questionOf({ id, kind, prompt, options, form, permission, expires_at }: InputResource): Question {
  const sole = form ? soleChoiceOf(form) : undefined;
  const choice = sole && sole.options.length <= maxButtons ? sole : undefined;
  return {
    inputId: id,
    kind,
    prompt,
    options: choice?.options.map(({ label }) => label) ?? options,
    field: choice && { key: choice.key, values: choice.options.map(({ value }) => value) },
    form,
    permission,
    expiresAt: expires_at,
  };
}

/** More options have no buttons. */
const maxButtons = 20;

/** Which button it is: its input, and the index of an option or a decision. */
const blockIdOf = (integrationId: string, inputId: string): string => `${integrationId}:${inputId}`;
const openAction = 'open';
const choiceAction = /^answer:(\d{1,2})$/;

const decisionButtons = {
  approval: [
    { decision: 'approve', label: 'Approve', style: 'primary' },
    { decision: 'reject', label: 'Reject', style: 'danger' },
  ],
  permission: [
    { decision: 'allow_once', label: 'Allow once', style: 'primary' },
    { decision: 'allow_always', label: 'Always for this task', style: undefined },
    { decision: 'reject', label: 'Reject', style: 'danger' },
  ],
} as const;

const decisionsAbout = (kind: InputResource['kind']) =>
  kind === 'approval' || kind === 'permission' ? decisionButtons[kind] : [];

/** What a button of `action_id` says. Undefined: it answers nothing. */
export function answerOfAction(
  actionId: string,
  { kind, options, field }: Pick<Question, 'kind' | 'options' | 'field'>,
): AnswerInputBody | undefined {
  const decided = decisionsAbout(kind).find(({ decision }) => decision === actionId);
  if (decided) return { decision: decided.decision };
  const chosen = (field?.values ?? options)[Number(choiceAction.exec(actionId)?.[1] ?? -1)];
  if (chosen === undefined) return undefined;
  return field ? { content: { [field.key]: chosen } } : { answer: chosen };
}

/** The blocks of a question. `integrationId`: clicks on its buttons are taken; undefined: they are not. */
export function questionMessage(event: ShownEvent, question: Question, integrationId: string | undefined): ChatContent {
  const line = lineOf(event.type, event.data);
  const buttons = [...(integrationId === undefined ? [] : answerButtons(question)), ...openButton(event)];
  return content(fallbackOf(line), [
    headlineBlock(event, line),
    section(escaped(question.prompt)),
    ...wantedBlocks(question),
    optionsBlock(question, integrationId !== undefined),
    buttons.length > 0
      ? { type: 'actions', block_id: blockIdOf(integrationId ?? 'none', question.inputId), elements: buttons }
      : undefined,
    context(`Waits for an answer until ${dateText(question.expiresAt)}.${alwaysText(question)}`),
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
  const { status, answer, content: filled, decision, answered_by: by, answered_by_name: name } = input;
  const isDue = status === 'pending' && Date.parse(input.expires_at) <= now.getTime();
  if (status === 'expired' || isDue) return 'This question has expired.';
  if (status === 'cancelled') return `This question was cancelled${why === undefined ? '' : `: ${why}`}.`;
  if (status === 'pending') return 'This question could not be answered here.';
  const answered = answer ?? contentLines(filled ?? {}).join('\n');
  const said = decision === null ? `answered: ${escaped(answered, 2_000)}` : decisions[decision];
  return `*${escaped(name ?? by ?? 'somebody', 200)}* ${said}`;
}

const decisions = {
  approve: 'approved this.',
  reject: 'rejected this.',
  allow_once: 'allowed this once.',
  allow_always: 'allowed this for the rest of the task.',
};

function answerButtons({ kind, options }: Question): Button[] {
  const decided = decisionsAbout(kind).map(({ decision, label, style }) =>
    button(label, { action_id: decision, ...(style === undefined ? {} : { style }) }),
  );
  if (decided.length > 0) return decided;
  return options.slice(0, maxButtons).map((option, index) => button(option, { action_id: `answer:${index}` }));
}

function openButton(event: ShownEvent): Button[] {
  const url = pageUrl(event);
  return url === undefined ? [] : [button('Open', { action_id: openAction, url })];
}

/** What a permission is wanted for, and the fields of a form that has no buttons. */
function wantedBlocks({ form, permission, options }: Question): Block[] {
  if (permission) {
    const { tool, command } = permission;
    const files = fileLines(permission, maxPath).join('\n');
    const run = command === undefined ? [] : commandLines(command);
    return [section([`Tool: ${tool}`, ...run].join('\n')), ...(files === '' ? [] : [section(escaped(files))])];
  }
  if (!form || options.length > 0) return [];
  const lines = fieldLines(form).map((line) => `• ${line}`);
  return [section(escaped([...lines, 'Open it to answer.'].join('\n')))];
}

const [maxCommand, maxPath] = [2_000, 100];

/** Nothing in the text ends the block. */
function commandLines(command: string): string[] {
  const text = command.replaceAll('`', '\u02cb');
  const isCut = escaped(text, Infinity).length > maxCommand;
  return [
    `\`\`\`${escaped(text, maxCommand)}\`\`\``,
    ...(isCut ? ['Only the beginning of the command is shown.'] : []),
  ];
}

const alwaysText = ({ permission }: Question): string =>
  permission ? ` Always: the same ${permission.command === undefined ? 'title' : 'command'} again.` : '';

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
