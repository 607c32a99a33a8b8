import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../own-system/own-system.ts';
import { type JestReport, sumOf } from '../../npm-test/test-plan.ts';
import { runClientProgram } from '../client-program.ts';
import { addCounts, repoFolder, runTool, type Suite, type Target, toolFile } from '../suite.ts';

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

const suitesFolder = join(repoFolder, 'apps/api-gateway/test');

// They send broken requests on purpose, look at the process, follow streams, of which a proxy sees no end, or speak to
// what the document does not describe (pages, the queues, OAuth, /docs, /mcp).
const leftOut =
  /^(bad-input|broken-requests|any-request|every-route|limits|contract|docs|admin\/queues|oauth\/.*|pages\/.*|streams\/.*|mcp\/.*)\.e2e/;

const suiteFiles = () =>
  globSync('**/*.e2e.spec.ts', { cwd: suitesFolder })
    .filter((file) => !leftOut.test(file))
    .map((file) => join(suitesFolder, file));

// A proxy hides that its caller is gone, refuses unknown methods and what is too long for it, and joins cookies.
const left = '^(?!.*(hangs up|cannot be written to|gives a cookie|too long together))';

/** Responses are held to the document; requests are not: these suites also show what is refused. */
export const prismEndToEnd: Suite = {
  name: 'prism-e2e',
  what: 'the responses that the end-to-end suites get are what the document says',
  async run({ folder }) {
    const report = join(folder, 'jest.json');
    const flags = '--disable-warning=ExperimentalWarning --experimental-vm-modules';
    const jest = [
      join(repoFolder, 'node_modules/jest/bin/jest.js'),
      '--selectProjects',
      'e2e',
      '--runInBand',
      '--testNamePattern',
      left,
    ];
    const { code, output } = await runTool(
      process.execPath,
      [...flags.split(' '), ...jest, '--json', `--outputFile=${report}`, ...suiteFiles()],
      { env: { CONTRACT_PROXY: toolFile(prismFile), NODE_OPTIONS: flags }, timeoutMs: 1_200_000 },
    );
    if (code !== 0) process.stdout.write(`${output.trim()}\n`);
    if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
    return addCounts([sumOf(JSON.parse(readFileSync(report, 'utf8')) as JestReport, code)]);
  },
};
