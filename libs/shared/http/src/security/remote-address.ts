import { isIP } from 'node:net';
import type { Request } from 'express';

/** Who calls, as far as trusted proxies report. What a proxy handed on that is no address counts as nothing said. */
export function remoteAddressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  return (ip !== undefined && isIP(ip) ? ip : socket.remoteAddress) ?? '';
}
