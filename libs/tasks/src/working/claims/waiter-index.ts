import { anyRole, type Waiter, type Wake } from '../../records/tasks/work-key.ts';

/** Which tasks a claim may get: by its agent's capabilities, and of which projects; undefined: of any project or none. */
export type Wants = { capabilities: readonly string[]; projects?: readonly string[] | undefined };

/** Claims of one role that may get the same tasks, longest waiting first, except tasks for a single agent. */
export type Kind<Sleeper> = Set<Sleeper>;

/** The kinds of a tenant: by role and, within a role, by what they may get; and by agent. */
type TenantWaiters<Sleeper> = {
  byRole: Map<string, Map<string, Kind<Sleeper>>>;
  byAgent: Map<string, Map<Sleeper, Kind<Sleeper>>>;
};

/** The waiters of a process: a wake-up finds its matching ones without iterating over the others. */
export type WaiterIndex<Sleeper> = {
  add(sleeper: Sleeper, wants: Wants): { kind: Kind<Sleeper>; remove(): void };
  meantBy(wake: Wake): Iterable<Kind<Sleeper>>;
  all(): Iterable<Sleeper>;
};

export function createWaiterIndex<Sleeper extends { waiter: Waiter }>(): WaiterIndex<Sleeper> {
  const tenants = new Map<string, TenantWaiters<Sleeper>>();
  return {
    add(sleeper, { capabilities, projects }) {
      const { tenantId, role, agentId } = sleeper.waiter;
      const tenant = getOrMake(tenants, tenantId, () => ({ byRole: new Map(), byAgent: new Map() }));
      const ofRole = getOrMake(tenant.byRole, role, () => new Map<string, Kind<Sleeper>>());
      const key = JSON.stringify([capabilities.toSorted(), projects?.toSorted()]);
      const kind = getOrMake(ofRole, key, () => new Set<Sleeper>()).add(sleeper);
      const ofAgent = getOrMake(tenant.byAgent, agentId, () => new Map<Sleeper, Kind<Sleeper>>());
      ofAgent.set(sleeper, kind);
      return {
        kind,
        remove() {
          kind.delete(sleeper);
          if (kind.size === 0) ofRole.delete(key);
          if (ofRole.size === 0) tenant.byRole.delete(role);
          ofAgent.delete(sleeper);
          if (ofAgent.size === 0) tenant.byAgent.delete(agentId);
          if (tenant.byAgent.size === 0) tenants.delete(tenantId);
        },
      };
    },
    meantBy({ tenantId, meant }) {
      const tenant = tenants.get(tenantId);
      if (!tenant) return [];
      if (meant === anyRole) return kindsOf(tenant);
      return new Set([...(tenant.byRole.get(meant)?.values() ?? []), ...(tenant.byAgent.get(meant)?.values() ?? [])]);
    },
    *all() {
      for (const tenant of tenants.values()) for (const kind of kindsOf(tenant)) yield* kind;
    },
  };
}

function* kindsOf<Sleeper>({ byRole }: TenantWaiters<Sleeper>): Iterable<Kind<Sleeper>> {
  for (const ofRole of byRole.values()) yield* ofRole.values();
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
