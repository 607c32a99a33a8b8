// `node check-health.ts /livez|/readyz`: exit code 0 if the app of this container responds with 200 on its health port.
import process from 'node:process';
import { appNames } from './programs.ts';

/** By default each app has its own; one app runs in a container, whichever it is. */
const firstDefaultPort = 3002;
const set = process.env['HEALTH_PORT']?.trim();
const ports = set ? [Number(set)] : appNames.map((_, index) => firstDefaultPort + index);
const path = process.argv[2] ?? '/livez';

const areOk = await Promise.all(
  ports
    .map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) });
      return response.ok;
    })
    .map((ok) => ok.catch(() => false)),
);
process.exit(areOk.includes(true) ? 0 : 1);
