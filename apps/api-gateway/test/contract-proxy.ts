import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Puts Prism, whose command line is `file`, between the tests and the gateway: a response that breaks the served document
 * becomes an error. Requests pass as they are, since the suites also send what must be refused.
 */
export async function startContractProxy(file: string, upstream: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = ['--errors', '--validate-request=false', '--verboseLevel=silent', `--port=${port}`];
  const child = spawn(process.execPath, [file, 'proxy', ...flags, `${upstream}/v1/openapi.json`, upstream], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'ignore',
  });
  const stop = () => void child.kill('SIGKILL');
  for (const deadline = Date.now() + 25_000; Date.now() < deadline; await sleep(100))
    if (await fetch(`${url}/v1/agents`).catch(() => undefined)) return { url, stop };
  stop();
  throw new Error('the proxy did not start');
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
