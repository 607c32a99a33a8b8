import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedPort } from '../apps.ts';
import { StartError } from '@eas/core';

/** Apps of a run that was killed leave their ports within this time. */
const defaultPatienceMs = 4_000;

/** Throws a StartError that names the ports that are taken after `patienceMs`, or that cannot be used. */
export async function checkPorts(ports: readonly PlannedPort[], patienceMs = defaultPatienceMs): Promise<void> {
  const numbers = ports.map(({ port }) => port);
  const doubled = numbers.find((port, index) => numbers.indexOf(port) !== index);
  if (doubled !== undefined) {
    throw new StartError(
      `Port ${doubled} is used twice. PORT, RECEIVER_PORT and HEALTH_PORT to HEALTH_PORT + 4 must differ.`,
    );
  }
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    const refusals = await Promise.all(ports.map(async (planned) => ({ ...planned, code: await tryPort(planned) })));
    const refused = refusals.filter(({ code }) => code !== undefined);
    if (refused.length === 0) return;
    const isOnlyBusy = refused.every(({ code }) => code === 'EADDRINUSE');
    if (!isOnlyBusy || performance.now() > endsAt) throw new StartError(explain(refused));
    await sleep(200);
  }
}

function explain(refused: readonly (PlannedPort & { code: string | undefined })[]): string {
  const other = refused.find(({ code }) => code !== 'EADDRINUSE');
  if (other)
    return `Port ${other.port} at ${other.host} (${other.purpose}) cannot be used (${other.code}). Set another one.`;
  const list = refused.map(({ port, purpose }) => `${port} (${purpose})`).join(', ');
  return `No free port: ${list} ${refused.length === 1 ? 'is' : 'are'} in use. Stop the other program, or choose another port, as in PORT=4000 npm start.`;
}

/** The errno word of the refusal, or undefined when the port is free. */
function tryPort({ host, port }: PlannedPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
