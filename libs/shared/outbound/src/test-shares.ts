import { AppError, createShares } from '@eas/core';

export type TestShares = {
  /** Throws conflict `limit` while too many other tests of the tenant run. */
  run<T>(tenantId: string, test: () => Promise<T>): Promise<T>;
};

/** Limits the tests that run at a time in a process and for a tenant: each waits for as long as a receiver takes. */
export function createTestShares(ofProcess: number, ofTenant: number): TestShares {
  const shares = createShares(ofProcess, ofTenant);
  return {
    async run(tenantId, test) {
      const leave = shares.tryTake(tenantId);
      if (!leave) throw tooManyTests(ofTenant);
      try {
        return await test();
      } finally {
        leave();
      }
    },
  };
}

function tooManyTests(ofTenant: number): AppError {
  const message = `The tenant cannot run another test now (limit: ${ofTenant}). Try again when one has ended.`;
  return new AppError('conflict', { field: '', constraint: 'limit', message, headers: { 'Retry-After': '15' } });
}
