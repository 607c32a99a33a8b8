import type { Change } from '../events/cut-change.ts';
import { changesIn, type ToolEvent, toolEventOf } from '../events/event.ts';
import type { TurnLog } from '../events/turn-log.ts';
import { shownPath } from './shown-path.ts';

/** A tool that an agent wants to use. */
export type AskedTool = Pick<ToolEvent, 'type' | 'name' | 'title'> & {
  /** All files that it is about, as the service gets them. */
  paths: readonly string[];
  changes: readonly Change[];
};

/** What the request says of its tool, and the updates before it said. `folder`: where the agent works. */
export function askedTool(call: unknown, log: TurnLog | undefined, folder: string): AskedTool {
  const shown = toolEventOf(call);
  const known = shown && log?.tool(shown.id);
  const requested = changesIn(call);
  const changes = requested.length === 0 ? (known?.diffs ?? []) : requested;
  const named = [shown, known].flatMap((one) => one?.paths ?? []);
  return {
    type: shown?.type ?? known?.type,
    name: shown?.name ?? known?.name,
    title: shown?.title ?? known?.title,
    paths: [...new Set(named.map((path) => shownPath(folder, path)))],
    changes: changes.map((change) => ({ ...change, path: shownPath(folder, change.path) })),
  };
}
