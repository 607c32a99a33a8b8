// `node check-health.ts /livez|/readyz`: exit code 0 if the app of this container responds with 200 on its health port. A whole URL is
// asked as it is: that of an app behind its Service, for `helm test`.
import process from 'node:process';
import { appNames } from './programs.ts';

/** By default each app has its own; one app runs in a container, whichever it is. */
const firstDefaultPort = 3002;
const set = process.env['HEALTH_PORT']?.trim();
const ports = set ? [Number(set)] : appNames.map((_, index) => firstDefaultPort + index);
const asked = process.argv[2] ?? '/livez';
const urls = [...new Set(ports.map((port) => new URL(asked, `http://127.0.0.1:${port}`).href))];

/** Undefined: the response is 200. */
async function failureOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(4_000) });
    return response.ok ? undefined : `${url} responds with ${response.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${url}: ${cause instanceof Error ? cause.message : message}`;
  }
}

const failures = await Promise.all(urls.map(failureOf));
const isHealthy = failures.includes(undefined);
if (!isHealthy) process.stderr.write(`${failures.join('\n')}\n`);
process.exit(isHealthy ? 0 : 1);
