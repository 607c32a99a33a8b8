import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { promisify } from 'node:util';

/** All addresses of a name, as dns.lookup returns them. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type NameServers = Pick<Resolver, 'resolve4' | 'resolve6'>;
type LookUp = (hostname: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

/** Two tries, 1.5 s and 3 s, fit into the connect time-out. */
const queryTimeout = { timeout: 1_500, tries: 2 };
/**
 * The name servers do not know the name, or there are none: the system may know it from its hosts file or search
 * domains.
 */
const unknownCodes = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/**
 * Queries the name servers without a thread: the system's look-ups share two, so two slow names would hold up all other
 * receivers. Concurrent look-ups of a name are joined.
 */
export function createNameResolver(
  servers: NameServers = new Resolver(queryTimeout),
  system: LookUp = promisify(lookup),
): ResolveName {
  const running = new Map<string, Promise<LookupAddress[]>>();
  return (hostname, _options, done) => {
    let addresses = running.get(hostname);
    if (!addresses) {
      addresses = resolveName(hostname, servers, system).finally(() => running.delete(hostname));
      running.set(hostname, addresses);
    }
    addresses.then(
      (found) => done(null, found),
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}

async function resolveName(hostname: string, servers: NameServers, system: LookUp): Promise<LookupAddress[]> {
  // localhost or a neighbouring container: not a public name.
  if (!hostname.includes('.')) return await system(hostname, { all: true });
  const [ipv4, ipv6] = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)]);
  const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  if (found.length > 0) return found;
  const errors = [ipv4, ipv6].map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined));
  if (errors.every(isUnknown)) return await system(hostname, { all: true });
  throw new Error('the name servers did not resolve the name', { cause: errors.find((error) => !isUnknown(error)) });
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

function isUnknown(error: unknown): boolean {
  return unknownCodes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
