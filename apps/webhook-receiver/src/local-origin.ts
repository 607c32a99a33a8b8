import { isLoopback } from '@eas/contracts';

type Origin = {
  /** The caller as the socket or a proven gateway names it. */
  remoteAddress: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Headers by which proxies, tunnels and gateways say that they passed a request on. */
const forwarding =
  /^(via|forwarded|true-client-ip|x-(forwarded|real|client|cluster-client|original|envoy|amzn?|azure|arr|vercel|gateway)(-.*|)|(cf|cdn|fly|fastly|akamai|ngrok)-.*)$/;

/** From a loopback address, for a loopback host, through no proxy, and if a browser sent it, by a page from here. */
export function isLocalOrigin({ remoteAddress, headers }: Origin): boolean {
  if (Object.keys(headers).some((name) => forwarding.test(name))) return false;
  const hosts = textsOf(headers['host']).map((host) => `http://${host}`);
  if (hosts.length === 0) return false;
  return isLoopback(remoteAddress) && [...hosts, ...textsOf(headers['origin'])].every(isOnThisMachine);
}

const textsOf = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());

function isOnThisMachine(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}
