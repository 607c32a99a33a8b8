import { type LookupAddress, type LookupAllOptions, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { blockedAddressCode } from './failure.ts';

/** All addresses of a name, as dns.lookup gives them. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Filters at connect time, so the checked address is the one used. None passes: error blockedAddressCode. */
export function createFilteredLookup(
  isAllowed: (address: string) => boolean,
  resolve: ResolveName = lookup,
): LookupFunction {
  return (hostname, options: LookupOptions, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) {
        const blocked = Object.assign(new Error('every resolved address is blocked'), { code: blockedAddressCode });
        return done(blocked, '', 0);
      }
      if (options.all) return done(null, allowed);
      done(null, first.address, first.family);
    });
  };
}
