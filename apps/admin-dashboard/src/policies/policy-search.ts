/** What the address contains: the policy that is edited, or that one is being created. */
export type PolicySearch = { policy?: string; new?: true };

export const readPolicySearch = (search: Record<string, unknown>): PolicySearch => ({
  ...(typeof search['policy'] === 'string' ? { policy: search['policy'] } : {}),
  ...(search['new'] === true ? { new: true } : {}),
});
