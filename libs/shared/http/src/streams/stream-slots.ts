import type { Principal } from '@eas/contracts';
import { AppError, createShares } from '@eas/core';

/** Who may have how many streams open in this process. Of those of the process each tenant gets its share. */
export type StreamLimits = { perCredential?: number; perTenant?: number; perProcess?: number };

export type StreamSlots = {
  /**
   * Takes a slot; throws rate_limited when the credential has too many open, and 409 `limit` when its tenant has.
   * Returns what gives the slot back.
   */
  take(caller: Pick<Principal, 'credentialId' | 'tenantId'>): () => void;
};

export function createStreamSlots(limits: StreamLimits = {}): StreamSlots {
  const { perCredential = 10, perTenant = 200, perProcess = 1_000 } = limits;
  const ofTenants = createShares(perProcess, perTenant);
  const ofCredentials = new Map<string, number>();
  return {
    take({ credentialId, tenantId }) {
      const own = ofCredentials.get(credentialId) ?? 0;
      if (own >= perCredential) throw tooManyOfCredential(perCredential);
      const leave = ofTenants.tryTake(tenantId);
      if (!leave) throw tooManyOfTenant(perTenant);
      ofCredentials.set(credentialId, own + 1);
      return () => {
        leave();
        const left = (ofCredentials.get(credentialId) ?? 1) - 1;
        if (left > 0) ofCredentials.set(credentialId, left);
        else ofCredentials.delete(credentialId);
      };
    },
  };
}

const headers = { 'Retry-After': '10' };

function tooManyOfCredential(most: number): AppError {
  return new AppError('rate_limited', {
    message: `A credential can have at most ${most} open streams. Close one first.`,
    headers,
  });
}

/** Also when it is less than the limit: few slots are left, and other tenants get theirs. */
function tooManyOfTenant(most: number): AppError {
  const message = `The tenant cannot open another stream now (limit: ${most}). Close one, or try again later.`;
  return new AppError('conflict', { field: '', constraint: 'limit', message, headers });
}
