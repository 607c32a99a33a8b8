import type { Principal } from '@eas/contracts';
import { AppError, createShares } from '@eas/core';

/** Limits the open streams of this process per credential and tenant. Each tenant gets its share of the total. */
export type StreamLimits = { perCredential?: number; perTenant?: number; perProcess?: number };

export type StreamSlots = {
  /**
   * Takes a slot; throws rate_limited when the credential has too many open, and 409 `limit` when its tenant has.
   * Returns the function that releases the slot.
   */
  take(caller: Pick<Principal, 'credentialId' | 'tenantId'>): () => void;
};

export function createStreamSlots(limits: StreamLimits = {}): StreamSlots {
  const { perCredential = 10, perTenant = 200, perProcess = 1_000 } = limits;
  const ofTenants = createShares(perProcess, perTenant);
  const ofCredentials = createShares(Infinity, perCredential);
  return {
    take({ credentialId, tenantId }) {
      const leaveCredential = ofCredentials.tryTake(credentialId);
      if (!leaveCredential) throw tooManyOfCredential(perCredential);
      const leaveTenant = ofTenants.tryTake(tenantId);
      if (!leaveTenant) {
        leaveCredential();
        throw tooManyOfTenant(perTenant);
      }
      return () => {
        leaveTenant();
        leaveCredential();
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

/** Also below the tenant's limit: few slots are left, and they are for other tenants. */
function tooManyOfTenant(most: number): AppError {
  const message = `The tenant cannot open another stream now (limit: ${most}). Close one, or try again later.`;
  return new AppError('conflict', { field: '', constraint: 'limit', message, headers });
}
