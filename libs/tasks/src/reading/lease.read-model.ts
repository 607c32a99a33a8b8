import { maxShownEntries } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { TaskStatus } from '../records/tasks/task.ts';

export type HeldLeaseRow = {
  id: string;
  fencingToken: number;
  /** For an answered lease: until when its agent may return. null: it waits for a person. */
  expiresAt: Date | null;
  /** A parked one takes none. */
  takesSlot: boolean;
  /** Not expired; the next sweep removes expired ones. */
  isLive: boolean;
  taskId: string;
  title: string;
  status: TaskStatus;
};

/** One more than is shown, to know whether there are more. */
const heldSql = `
  SELECT l.id, l.fencing_token AS "fencingToken", ends.at AS "expiresAt", l.parked_at IS NULL AS "takesSlot",
    coalesce(ends.at > app_now(), true) AS "isLive", t.id AS "taskId", t.title, t.status
  FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id,
    LATERAL (SELECT coalesce(l.expires_at, l.revive_until) AS at) AS ends
  WHERE l.tenant_id = $1 AND l.agent_id = $2 AND l.ended_at IS NULL
  ORDER BY l.parked_at IS NULL DESC, l.id LIMIT ${maxShownEntries + 1}`;

/** The leases that an agent has: those that it works under first, each group the oldest first. */
export const findHeldLeases = ({ db, tenantId }: DbScope, agentId: string): Promise<HeldLeaseRow[]> =>
  db.query<HeldLeaseRow>(heldSql, [tenantId, agentId]);
