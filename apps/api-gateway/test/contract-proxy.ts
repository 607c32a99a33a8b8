import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where Prism is installed: set by `npm test` in CI. */
const packages = process.env['CONTRACT_PROXY'];

// They send broken requests on purpose, read the process, follow streams, of which a proxy sees no end, or speak to
// what the document does not describe (pages, the queues, OAuth, /docs, /mcp).
const leftOut =
  /\/test\/(bad-input|broken-requests|any-request|every-route|limits|contract|docs|admin\/queues|oauth\/.*|pages\/.*|streams\/.*|mcp\/.*)\.e2e/;

export type ContractProxy = { url: string; stop(): Promise<unknown> };

/**
 * Puts Prism between the tests of a file and the gateway: a response that breaks the served document becomes an error.
 * Requests pass as they are, since the suites also send what must be refused. Undefined where nothing is proxied.
 */
export async function startContractProxy(upstream: string, testPath: string): Promise<ContractProxy | undefined> {
  if (!packages || leftOut.test(testPath)) return undefined;
  const { createServer, createLogger } = loadPrism(packages);
  const server = createServer(await (operations ??= readOperations(packages, upstream)), {
    cors: false,
    components: { logger: createLogger('proxy', { level: 'silent' }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: false,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
    },
  });
  return { url: await server.listen(0, '127.0.0.1'), stop: () => server.close() };
}

/** What is used of Prism, which is installed apart from the packages of the service. */
type Prism = {
  createLogger(name: string, options: object): unknown;
  createServer(
    operations: unknown[],
    options: object,
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<unknown> };
  getHttpOperationsFromSpec(document: string): Promise<unknown[]>;
};

function loadPrism(folder: string): Prism {
  const require = createRequire(join(folder, 'package.json'));
  const names = ['@stoplight/prism-core', '@stoplight/prism-http', '@stoplight/prism-http-server'];
  return Object.assign({}, ...names.map((name) => require(name) as object)) as Prism;
}

/** The document is the same for every gateway of a run. */
let operations: Promise<unknown[]> | undefined;

const readOperations = (folder: string, upstream: string): Promise<unknown[]> =>
  loadPrism(folder).getHttpOperationsFromSpec(`${upstream}/v1/openapi.json`);
