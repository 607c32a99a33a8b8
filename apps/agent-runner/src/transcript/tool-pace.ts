import type { NewSessionEntry } from '@eas/contracts';

export type ToolEntry = Extract<NewSessionEntry, { kind: 'tool' }>;

/** Time between two updates of a call: a tenth of the time since its first one, within these bounds. */
const [minPauseMs, maxPauseMs] = [1_000, 10_000];
/** Most calls that are remembered. */
const maxCalls = 200;

type Call = { status: string | undefined; beganMs: number; sentMs: number; held: ToolEntry | undefined };

/** A call with an update merged in: changes of files replace all earlier ones. */
export function mergeTool(before: ToolEntry | undefined, update: ToolEntry): ToolEntry {
  const { more_diffs: _, ...rest } = before ?? update;
  return { ...(update.diff ? rest : before), ...update };
}

/**
 * Updates of tool calls, which bring all of the last output each time: the longer a call runs, the rarer they are. The
 * first one passes at once, and so does one with another status.
 */
export function createToolPace(nowMs: () => number = () => performance.now()) {
  const calls = new Map<string, Call>();

  function pass(call: Call, entry: ToolEntry): ToolEntry {
    Object.assign(call, { status: entry.status ?? call.status, sentMs: nowMs(), held: undefined });
    return entry;
  }

  /** Forgets the oldest call; returns its held update. */
  function forgetOldest(): ToolEntry[] {
    const [id, oldest] = calls.entries().next().value ?? ['', undefined];
    calls.delete(id);
    return oldest?.held ? [oldest.held] : [];
  }

  /** What may be sent at once. */
  function add(entry: ToolEntry): ToolEntry[] {
    const call = calls.get(entry.id) ?? { status: undefined, beganMs: nowMs(), sentMs: -Infinity, held: undefined };
    calls.set(entry.id, call);
    const merged = mergeTool(call.held, entry);
    const isChanged = entry.status !== undefined && entry.status !== call.status;
    if (isChanged || isDue(call, nowMs()))
      return [...(calls.size > maxCalls ? forgetOldest() : []), pass(call, merged)];
    call.held = merged;
    return [];
  }

  /** What may be sent now. `isLast`: all that is held. */
  function due(isLast: boolean): ToolEntry[] {
    const found: ToolEntry[] = [];
    for (const call of calls.values())
      if (call.held && (isLast || isDue(call, nowMs()))) found.push(pass(call, call.held));
    return found;
  }

  return { add, due, isEmpty: () => [...calls.values()].every(({ held }) => held === undefined) };
}

function isDue({ beganMs, sentMs }: Call, nowMs: number): boolean {
  const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, (nowMs - beganMs) / 10));
  return nowMs - sentMs >= pauseMs;
}
