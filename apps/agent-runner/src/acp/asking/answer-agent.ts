import type { DenyRule } from '../../presets/deny-rule.ts';
import type { ToolEvent } from '../events/event.ts';
import { toolEventOf } from '../events/event.ts';
import { type Answer, type Field, fieldsOf, type Question, type Value } from './form.ts';
import { isAllowed, optionFor, permissionRequest } from './permission.ts';
import { questionsIn } from './tool-questions.ts';
import type { TurnLog } from '../events/turn-log.ts';

export type AnsweringParts = {
  deny: readonly DenyRule[];
  /** Of the turn that runs; undefined between turns. */
  log: () => TurnLog | undefined;
  ask: (question: Question) => Promise<Answer | undefined>;
};

/** Answers what an agent asks: permissions by the rules, questions by a person. */
export function answering({ deny, log, ask }: AnsweringParts) {
  async function askFields(fields: readonly Field[]): Promise<Record<string, Value> | undefined> {
    const content: Record<string, Value> = {};
    for (const { name, question, valueOf, note } of fields) {
      log()?.add({ kind: 'question', text: question.prompt });
      const answer = await ask(question);
      const value = answer && valueOf(answer);
      if (value === undefined) return undefined;
      content[name] = value;
      if (note !== undefined && answer?.comment) content[note] = answer.comment;
    }
    return content;
  }

  return {
    async onPermission(params: unknown): Promise<object> {
      const request = permissionRequest.parse(params);
      const questions = questionsIn(request);
      if (questions) {
        const answers = await askFields(questions);
        const option = optionFor(request, answers !== undefined);
        return { outcome: outcomeOf(option), ...(answers ? { answers } : {}) };
      }
      const tool = knownTool(request.toolCall, log());
      const option = isAllowed(deny, tool, request.toolCall.rawInput) ? optionFor(request, true) : undefined;
      const name = tool.name ?? tool.type ?? tool.title ?? 'a tool';
      log()?.add({ kind: 'permission', tool: name, title: tool.title ?? '', isAllowed: option !== undefined });
      return { outcome: outcomeOf(option ?? optionFor(request, false)) };
    },

    async onElicitation(params: unknown): Promise<object> {
      const { mode, message, requestedSchema } = (params ?? {}) as Record<string, unknown>;
      const fields = mode === 'form' ? fieldsOf(String(message ?? ''), requestedSchema) : undefined;
      const content = fields && (await askFields(fields));
      return content ? { action: 'accept', content } : { action: 'decline' };
    },
  };
}

const outcomeOf = (optionId: string | undefined) =>
  optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };

/** What the request says of its tool, and the updates before it said. */
function knownTool(call: unknown, log: TurnLog | undefined): Pick<ToolEvent, 'type' | 'name' | 'title'> {
  const shown = toolEventOf(call);
  const known = shown && log?.tool(shown.id);
  return {
    type: shown?.type ?? known?.type,
    name: shown?.name ?? known?.name,
    title: shown?.title ?? known?.title,
  };
}
