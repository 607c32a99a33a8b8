/** How many integrations are tried on one body where it could be of several tenants. */
export const candidateShares = { maxTenants: 20, maxOfTenant: 5 };

/** Admits each candidate once, and of each tenant and of all together only as many as their shares. */
export function createShares(): (candidate: { tenantId: string; id: string }) => boolean {
  const ids = new Map<string, Set<string>>();
  return ({ tenantId, id }) => {
    const ofTenant = ids.get(tenantId) ?? new Set();
    if (ofTenant.has(id) || ofTenant.size >= candidateShares.maxOfTenant) return false;
    if (ofTenant.size === 0 && ids.size >= candidateShares.maxTenants) return false;
    ids.set(tenantId, ofTenant.add(id));
    return true;
  };
}
