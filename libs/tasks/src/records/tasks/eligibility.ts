import type { Task } from './task.ts';

/** Which agents are eligible for a task, in TypeScript and in SQL. A property test compares the two. */

export type Needs = {
  /** null: agents of any role. */
  role: string | null;
  /** The agent that a person chose: only it is eligible, whatever its role. */
  pinnedTo: string | null;
  /** An agent that is not eligible: the task reviews its work, or it reviews the task. */
  notFor: string | null;
  capabilities: readonly string[];
};

/** The properties of an agent that decide whether it is eligible, not whether it accepts tasks now. */
export type Assignee = { id: string; role: string; capabilities: readonly string[] };

type WithNeeds = Pick<Task, 'assignedRole' | 'assignedAgent' | 'isPinned' | 'notFor' | 'metadata'>;

export function needsOf({ assignedRole, assignedAgent, isPinned, notFor, metadata }: WithNeeds): Needs {
  return {
    role: assignedRole,
    pinnedTo: isPinned ? assignedAgent : null,
    notFor,
    capabilities: requiredCapabilities(metadata),
  };
}

export function isEligible({ id, role, capabilities }: Assignee, needs: Needs): boolean {
  if (id === needs.notFor) return false;
  const isMeant = needs.pinnedTo === null ? needs.role === null || needs.role === role : needs.pinnedTo === id;
  return isMeant && needs.capabilities.every((one) => capabilities.includes(one));
}

/** `isEligible` in SQL. `task` is the alias of a tasks row, `agent` gives the expression of an agent's column. */
export const isEligibleSql = (task: string, agent: (column: keyof Assignee) => string) => `(
  ${task}.not_for IS DISTINCT FROM ${agent('id')}
  AND CASE WHEN ${task}.is_pinned THEN ${task}.assigned_agent = ${agent('id')}
    ELSE ${task}.assigned_role IS NULL OR ${task}.assigned_role = ${agent('role')} END
  AND ${isAbleSql(task, agent('capabilities'))})`;

/**
 * A first filter for several agents of the task's role: true if any of them is eligible, and for a few other tasks.
 * `ids` is the expression of their ids, `capabilities` of what they can do together.
 */
export const someEligibleSql = (task: string, { ids, capabilities }: { ids: string; capabilities: string }) => `(
  (NOT ${task}.is_pinned OR ${task}.assigned_agent = ANY (${ids})) AND ${isAbleSql(task, capabilities)})`;

const isAbleSql = (task: string, capabilities: string) => `
  (NOT ${task}.metadata ? 'required_capabilities' OR ${requiredCapabilitiesSql(task)} <@ to_jsonb(${capabilities}))`;

/** `required_capabilities` of a task's metadata; anything but a list of texts requires nothing. */
function requiredCapabilities(metadata: Task['metadata']): string[] {
  const required = metadata['required_capabilities'];
  return Array.isArray(required) && required.every((one) => typeof one === 'string') ? required : [];
}

/** The same in SQL. Strict: otherwise the path would match inside of nested lists. */
export const requiredCapabilitiesSql = (task: string) => `
  CASE WHEN jsonb_typeof(${task}.metadata -> 'required_capabilities') = 'array'
      AND NOT ${task}.metadata @? 'strict $.required_capabilities[*] ? (@.type() != "string")'
    THEN ${task}.metadata -> 'required_capabilities' ELSE '[]'::jsonb END`;
