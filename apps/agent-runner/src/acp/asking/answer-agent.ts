import type { FormContent, Permission } from '@eas/contracts';
import type { DenyRule } from '../../presets/deny-rule.ts';
import { askedTool } from './asked-tool.ts';
import { type Answer, type Field, fieldsOf, type Question } from './form.ts';
import { formQuestion } from './form-question.ts';
import { isAllowed, optionFor, type PermissionRequest, permissionRequest } from './permission.ts';
import { permissionOf } from './permission-of.ts';
import { formIn } from './tool-questions.ts';
import type { TurnLog } from '../events/turn-log.ts';

/** What the people of a turn are asked. Undefined without an answer, and between turns. */
export type Asking = {
  /** `misfit`: the service does not accept such a question. */
  ask: (question: Question) => Promise<Answer | 'misfit' | undefined>;
  permit: (permission: Permission, onAsked: () => void) => Promise<boolean | undefined>;
};

export type AnsweringParts = Asking & {
  deny: readonly DenyRule[];
  /** Where the agent works. */
  folder: string;
  /** Of the turn that runs; undefined between turns. */
  log: () => TurnLog | undefined;
};

/** Answers what an agent asks: permissions by the rules, by the service and by a person, questions by a person. */
export function answering({ deny, folder, log, ask, permit }: AnsweringParts) {
  async function askForm(message: string, schema: unknown): Promise<FormContent | undefined> {
    const question = formQuestion(message, schema);
    if (!question) return undefined;
    log()?.add({ kind: 'question', text: message });
    const answer = await ask(question);
    // Forms that the service refuses, or is too old for, are asked field by field.
    return answer === 'misfit' ? askFields(fieldsOf(message, schema)) : answer?.content;
  }

  async function askFields(fields: readonly Field[] = []): Promise<FormContent | undefined> {
    const content: FormContent = {};
    for (const { name, question, valueOf, note } of fields) {
      log()?.add({ kind: 'question', text: question.prompt });
      const answer = await ask(question);
      const value = answer && answer !== 'misfit' ? valueOf(answer) : undefined;
      if (!answer || answer === 'misfit' || value === undefined) return undefined;
      content[name] = value;
      if (note !== undefined && answer.comment) content[note] = answer.comment;
    }
    return fields.length > 0 ? content : undefined;
  }

  /** Undefined: a person was asked, and has not answered. */
  async function decide(request: PermissionRequest): Promise<boolean | undefined> {
    const tool = askedTool(request.toolCall, log(), folder);
    const name = tool.name ?? tool.type ?? tool.title ?? 'a tool';
    const title = tool.title ?? '';
    const onAsked = () => log()?.add({ kind: 'question', text: `May I use ${name}? ${title}` });
    const { rawInput } = request.toolCall;
    const isGiven = isAllowed(deny, tool, rawInput) && (await permit(permissionOf(tool, rawInput), onAsked));
    if (isGiven !== undefined) log()?.add({ kind: 'permission', tool: name, title, isAllowed: isGiven });
    return isGiven;
  }

  return {
    async onPermission(params: unknown): Promise<object> {
      const request = permissionRequest.parse(params);
      const form = formIn(request);
      if (form) {
        const answers = await askForm(form.message, form.schema);
        const option = optionFor(request, answers !== undefined);
        return { outcome: outcomeOf(option), ...(answers ? { answers } : {}) };
      }
      const isGiven = await decide(request);
      const option = isGiven === undefined ? undefined : optionFor(request, isGiven);
      return { outcome: outcomeOf(isGiven && option === undefined ? optionFor(request, false) : option) };
    },

    async onElicitation(params: unknown): Promise<object> {
      const { mode, message, requestedSchema } = (params ?? {}) as Record<string, unknown>;
      const content = mode === 'form' ? await askForm(String(message ?? ''), requestedSchema) : undefined;
      return content ? { action: 'accept', content } : { action: 'decline' };
    },
  };
}

const outcomeOf = (optionId: string | undefined) =>
  optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
