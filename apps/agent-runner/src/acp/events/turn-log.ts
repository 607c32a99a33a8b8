import type { Mask } from '../../key/mask.ts';
import type { AgentEvent, Cost, PlanEntry, ToolEvent } from './event.ts';
import { createLastMessage } from './last-message.ts';
import { createToolCalls, toolLine } from './tool-calls.ts';

/** Most names of denied tools that are kept. */
const maxDenied = 100;

export type TurnLog = ReturnType<typeof createTurnLog>;

export type TurnLogParts = {
  /** Keeps a line of it for people. */
  record: (line: string) => void;
  /** Takes each event. */
  pass: (event: AgentEvent) => void;
  mask: Mask;
};

/** The log of one turn so far, in bounded memory. */
export function createTurnLog({ record, pass, mask }: TurnLogParts) {
  const message = createLastMessage(mask.join, (text) => text.split('\n').forEach(record));
  const tools = createToolCalls(mask.join);
  const denied: string[] = [];
  let plan: PlanEntry[] = [];
  let usage: { tokens?: number; cost?: Cost } = {};
  let isActive = false;

  function addTool(update: ToolEvent): void {
    const { call, before } = tools.add(update);
    pass({ ...update, output: shownOutput(update, { call, before }) });
    if (!before) message.end();
    if (before?.status !== call.status) record(toolLine(call));
  }

  /** The new part of its output. An end that may begin a secret is held until the call has ended. */
  function shownOutput({ printed, output }: ToolEvent, { call, before }: ReturnType<typeof tools.add>) {
    const { output: known = '', status = '' } = call;
    const isOver = status === 'completed' || status === 'failed';
    const isHeld = mask.openEnd(before?.output ?? '') > 0;
    if (printed === undefined && output === undefined && !(isOver && isHeld)) return undefined;
    return isOver ? known : known.slice(0, known.length - mask.openEnd(known));
  }

  function add(event: AgentEvent): void {
    if (event.kind !== 'tool') pass(event);
    isActive ||= event.kind === 'text' || event.kind === 'tool';
    switch (event.kind) {
      case 'text':
        return message.add(event.text, event.messageId);
      case 'tool':
        return addTool(event);
      case 'plan':
        return void (plan = event.entries);
      case 'usage':
        return void (usage = { tokens: event.tokens ?? usage.tokens, cost: event.cost ?? usage.cost });
      case 'permission':
        if (!event.isAllowed && denied.length < maxDenied) denied.push(event.tool);
        return record(`[permission] ${event.isAllowed ? 'allowed' : 'denied'}: ${event.tool}: ${event.title}`);
      case 'notice':
      case 'question':
      case 'session':
      case 'stop':
        message.end();
        return record(`[${event.kind}] ${event.text}`);
      case 'thought':
      case 'prompt':
    }
  }

  return {
    add,
    tool: tools.get,
    plan: () => plan,
    usage: () => usage,
    denied: () => [...denied],
    /** The last message. */
    text: message.text,
    /** Whether it said anything, or used a tool. */
    isActive: () => isActive,
  };
}
