import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '@eas/testing/own-system';
import { runClientProgram } from '../client-program.ts';
import { toolFile } from '../../foreign/run-tool.ts';
import { type Suite, type Target } from '../suite.ts';

const prismFile = '@stoplight/prism-cli/dist/index.js';

/** Between client and system; responds with an error of its own where a request or a response breaks the document. */
async function startProxy({ documentFile, baseUrl }: Target): Promise<{ url: string; process: ChildProcess }> {
  const port = await findFreePorts(1);
  const args = ['proxy', '--errors', '--verboseLevel=error', `--port=${port}`, documentFile, baseUrl];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', toolFile(prismFile), ...args], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 150; tries += 1) {
    const response = await fetch(`${url}/v1/agents`).catch(() => undefined);
    if (response) return { url, process: child };
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error('Prism did not start within 15 s');
}

export const prism: Suite = {
  name: 'prism',
  what: 'the client works through a proxy that refuses whatever the document does not allow',
  isForReleases: true,
  async run(target) {
    const proxy = await startProxy(target);
    try {
      const env = { ...target.env, CONTRACT_PROXIED: 'true' };
      return await runClientProgram('rest.test.ts', { ...target, baseUrl: proxy.url, env });
    } finally {
      proxy.process.kill('SIGKILL');
    }
  },
};
