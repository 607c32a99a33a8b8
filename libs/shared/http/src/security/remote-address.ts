import { isIP } from 'node:net';
import type { Request } from 'express';

/** Who calls, as far as trusted proxies report. A forwarded value that is not an address is ignored. */
export function remoteAddressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  return (ip !== undefined && isIP(ip) ? ip : socket.remoteAddress) ?? '';
}
