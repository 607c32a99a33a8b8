import ipaddr from 'ipaddr.js';

/** What outgoing requests may reach in addition to https to public addresses. Both empty in production. */
export type EgressPolicy = {
  /** Allows http: as well. */
  allowHttp: boolean;
  /** Ranges ("127.0.0.0/8", "::1/128") that are allowed although they are not public. */
  allowedCidrs: readonly string[];
  /** Ports of the service itself, wherever it can be reached. */
  deniedPorts?: readonly number[];
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Public by its number, private by its use: platform services of a cloud that respond to any of its machines. */
const hiddenServices = ['168.63.129.16/32'];
/** The only block from which IANA assigns public IPv6 addresses; ipaddr.js knows the exceptions in it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Returns whether a connection to an address in text form is allowed. Throws on an invalid range. */
export function createAddressFilter({
  allowedCidrs,
}: Pick<EgressPolicy, 'allowedCidrs'>): (address: string) => boolean {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const hidden = hiddenServices.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (allowed.some((range) => isInside(address, range))) return true;
    return isPublic(address) && !hidden.some((range) => isInside(address, range));
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isInside(address, globalUnicast);
}

function isInside(address: Address, range: [Address, number]): boolean {
  return address.kind() === range[0].kind() && (address as ipaddr.IPv4).match(range as [ipaddr.IPv4, number]);
}
