import type { LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { blockedAddressCode, lookupFailedCode } from './failure.ts';
import type { ResolveName } from './name-resolver.ts';

/** Filters at connect time, so the checked address is the one used. If none is allowed: error blockedAddressCode. */
export function createFilteredLookup(isAllowed: (address: string) => boolean, resolve: ResolveName): LookupFunction {
  return (hostname, options: LookupOptions, done) => {
    const fail = (message: string, code: string, cause?: unknown) =>
      done(Object.assign(new Error(message, { cause }), { code }), '', 0);
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      // Its code may also be one of a connection error.
      if (error) return fail('the look-up failed', lookupFailedCode, error);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return fail('every resolved address is blocked', blockedAddressCode);
      if (options.all) return done(null, allowed);
      done(null, first.address, first.family);
    });
  };
}
