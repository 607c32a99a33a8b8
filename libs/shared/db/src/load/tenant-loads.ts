/** What callers cost and what was done for a tenant. */
export type Load = {
  /** Requests. */
  calls: number;
  /** Duration of their read statements. */
  databaseMs: number;
  /** Sent to them. */
  bytes: number;
  /** Webhooks that came in. */
  received: number;
  /** Attempts of deliveries. */
  attempts: number;
};

export type TenantLoads = {
  add(tenantId: string, load: Partial<Load>): void;
  /** The loudest tenants since the last call, and under '' all others together. Empty: nothing was done. */
  take(): ReadonlyMap<string, Load>;
};

/** Tenants whose loads are added up separately; those that come later count as others. */
const maxTenants = 5_000;
/** Tenants that a process reports. */
const maxReported = 20;
export const others = '';

export const loadFields = ['calls', 'databaseMs', 'bytes', 'received', 'attempts'] as const;
const nothing = (): Load => ({ calls: 0, databaseMs: 0, bytes: 0, received: 0, attempts: 0 });

/** What costs as much as a call. */
export const [bytesOfCall, databaseMsOfCall] = [65_536, 50];

/** In calls, as the pace of tenants counts. */
export const weightOf = ({ calls, databaseMs, bytes, received, attempts }: Load): number =>
  calls + databaseMs / databaseMsOfCall + bytes / bytesOfCall + received + attempts;

/** Adds up in memory what a process did for each tenant. */
export function createTenantLoads(): TenantLoads {
  let loads = new Map<string, Load>();

  function loadOf(tenantId: string): Load {
    const key = loads.has(tenantId) || loads.size < maxTenants ? tenantId : others;
    const load = loads.get(key) ?? nothing();
    loads.set(key, load);
    return load;
  }

  return {
    add(tenantId, more) {
      addTo(loadOf(tenantId), more);
    },
    take() {
      const byWeight = [...loads].sort(([, a], [, b]) => weightOf(b) - weightOf(a));
      loads = new Map();
      const loudest = byWeight.filter(([tenantId]) => tenantId !== others).slice(0, maxReported);
      const reported = new Map(loudest);
      const rest = byWeight.filter(([tenantId]) => !reported.has(tenantId));
      if (rest.length > 0) {
        const sum = nothing();
        for (const [, load] of rest) addTo(sum, load);
        reported.set(others, sum);
      }
      return reported;
    },
  };
}

function addTo(load: Load, more: Partial<Load>): void {
  for (const field of loadFields) load[field] += more[field] ?? 0;
}
