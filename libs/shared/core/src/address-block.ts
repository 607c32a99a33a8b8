import { isIPv6 } from 'node:net';

/** The unit by which an address is counted: itself, or the /64 of an IPv6 address, since one host may own all of it. */
export function addressBlock(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  // The URL parser writes every form of an address in one way.
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? ipv4Of(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

function ipv4Of(groups: string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}
