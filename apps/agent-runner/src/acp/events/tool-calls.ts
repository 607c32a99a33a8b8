import type { Mask } from '../../key/mask.ts';
import { maxToolText, type ToolEvent } from './event.ts';

/** Maximum number of tool calls in memory. */
const maxCalls = 200;

/** The state of the tool calls of a turn: updates contain only changed fields. */
export function createToolCalls(join: Mask['join']) {
  const calls = new Map<string, ToolEvent>();
  return {
    get: (id: string) => calls.get(id),
    add({ printed, ...update }: ToolEvent): { call: ToolEvent; before: ToolEvent | undefined } {
      const before = calls.get(update.id);
      if (printed !== undefined) update.output ??= join(before?.output ?? '', printed).slice(-maxToolText);
      const known = Object.entries(update).filter(([, value]) => value !== undefined);
      const call = { ...before, ...Object.fromEntries(known) } as ToolEvent;
      calls.delete(update.id);
      calls.set(update.id, call);
      if (calls.size > maxCalls) calls.delete(calls.keys().next().value ?? '');
      return { call, before };
    },
  };
}

export function toolLine({ type, name, title, status, output }: ToolEvent): string {
  const tail = status === 'failed' && output ? `: ${output.slice(-500)}` : '';
  return `[${name ?? type ?? 'tool'}] ${status ?? 'pending'}: ${title ?? ''}${tail}`.replaceAll('\n', ' ');
}
