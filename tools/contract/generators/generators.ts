// The generators whose clients compile and run before a release, and their versions. Packages of npm and PyPI for the
// other suites are in tools/contract/package.json and client/python/requirements.txt.
import { join } from 'node:path';
import { contractFolder, toolFile } from '../../foreign/run-tool.ts';
import { type Copy, forOgen, withoutWebhooks } from './document-copies.ts';
import type { Step } from './steps.ts';

const openapiGenerator = '7.25.0';
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const oapiRuntime = 'github.com/oapi-codegen/runtime@v1.9.0';
const ogen = 'github.com/ogen-go/ogen@v1.24.0';
/** What a client of OpenAPI Generator for Python needs. */
const pythonPackages = [
  'urllib3==2.8.0',
  'python-dateutil==2.9.0.post0',
  'pydantic==2.14.4',
  'typing-extensions==4.16.0',
];

export const jar = {
  artifact: `org.openapitools:openapi-generator-cli:${openapiGenerator}`,
  folder: join(contractFolder, 'node_modules/.jars'),
  file: join(contractFolder, `node_modules/.jars/openapi-generator-cli-${openapiGenerator}.jar`),
};

export type Generator = {
  name: string;
  /** Programs of the machine. */
  needs: readonly string[];
  copy?: Copy;
  /** Program of client/plays → where it finds the client. Nothing: `doesNotPlay` says why. */
  play?: readonly [file: string, to: string];
  doesNotPlay?: string;
  /** A file of the folder settings → where generator or compiler reads it. */
  settings?: readonly [file: string, to: string];
  steps: readonly Step[];
};

const document = '../openapi.json';

/** In the folder `to`, without tests. */
const generate = (generator: string, to: string, properties: string, ...more: string[]): Step => ({
  what: 'generates',
  run: [
    ...['java', '-jar', jar.file, 'generate', '-g', generator, '-i', document, '-o', to, ...more],
    `--additional-properties=hideGenerationTimestamp=true,${properties}`,
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
  ],
});
const compile = (run: readonly string[], folder?: string): Step => ({
  what: 'compiles',
  run,
  ...(folder ? { in: folder } : {}),
});
const play = (run: readonly string[], folder?: string): Step => ({ ...compile(run, folder), what: 'plays' });

const tsc = [process.execPath, toolFile('typescript/bin/tsc'), '--strict', '--skipLibCheck', '--target', 'es2022'];
const node = [process.execPath, '--disable-warning=ExperimentalWarning'];
const inVenv = (program: string): string => join('venv/bin', program);
const goEnv = { GOFLAGS: '-mod=mod' };
const withGo = (step: Step): Step => ({ ...step, env: goEnv });

const openapiGenerators: readonly Generator[] = [
  {
    name: 'openapi-generator python',
    needs: ['java', 'mvn', 'python3'],
    copy: withoutWebhooks,
    play: ['play.py', 'play.py'],
    steps: [
      generate('python', '.', 'packageName=eas_client'),
      compile(['python3', '-m', 'venv', 'venv']),
      compile([inVenv('pip'), 'install', '--quiet', '--disable-pip-version-check', ...pythonPackages]),
      compile([inVenv('python'), '-m', 'compileall', '-q', 'eas_client']),
      play([inVenv('python'), '-B', 'play.py']),
    ],
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['java', 'mvn'],
    copy: withoutWebhooks,
    play: ['typescript-fetch.ts', 'play.ts'],
    settings: ['commonjs.json', 'package.json'],
    steps: [
      generate('typescript-fetch', 'client', 'npmName=eas'),
      compile([
        ...tsc,
        '--module',
        'commonjs',
        '--moduleResolution',
        'node10',
        '--esModuleInterop',
        '--outDir',
        'built',
        'play.ts',
      ]),
      play([...node, 'built/play.js']),
    ],
  },
  {
    name: 'openapi-generator java',
    needs: ['java', 'javac', 'mvn'],
    play: ['Play.java', 'src/main/java/eas/Play.java'],
    steps: [
      generate('java', '.', 'invokerPackage=eas,apiPackage=eas.api,modelPackage=eas.model', '--library', 'native'),
      compile(['mvn', '-q', '-B', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=jars']),
      play(['java', '-cp', 'target/classes:jars/*', 'eas.Play']),
    ],
  },
  {
    name: 'openapi-generator go',
    needs: ['java', 'mvn', 'go'],
    play: ['openapi-generator.go', 'play/main.go'],
    steps: [
      generate(
        'go',
        '.',
        // Without the prefix it declares a constant for each value of each list, and some lists have the same values.
        'packageName=eas,enumClassPrefix=true',
        ...['--git-host=example.com', '--git-user-id=eas', '--git-repo-id=client'],
      ),
      compile(['go', 'mod', 'tidy']),
      compile(['go', 'build', './...']),
      play(['go', 'run', './play']),
    ].map(withGo),
  },
  {
    name: 'openapi-generator csharp',
    needs: ['java', 'mvn', 'dotnet'],
    doesNotPlay: 'what it generates is compiled alone',
    steps: [generate('csharp', '.', 'packageName=Eas'), compile(['dotnet', 'build', '--nologo', 'src/Eas'])],
  },
];

const others: readonly Generator[] = [
  {
    name: 'orval',
    needs: [],
    play: ['orval.ts', 'play.ts'],
    settings: ['orval.config.mjs', 'orval.config.mjs'],
    steps: [
      {
        what: 'generates',
        run: [...node, toolFile('orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
      },
      compile([...tsc, '--module', 'nodenext', '--allowImportingTsExtensions', '--noEmit', 'play.ts']),
      play([...node, 'play.ts']),
    ],
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    copy: withoutWebhooks,
    play: ['oapi-codegen.go', 'play/main.go'],
    steps: [
      compile(['mkdir', '-p', 'eas']),
      {
        what: 'generates',
        run: ['go', 'run', oapiCodegen, '-generate', 'types,client', '-package', 'eas', '-o', 'eas/eas.go', document],
      } as const,
      compile(['go', 'mod', 'init', 'example.com/eas/client']),
      compile(['go', 'get', oapiRuntime]),
      compile(['go', 'build', './...']),
      play(['go', 'run', './play']),
    ].map(withGo),
  },
  {
    name: 'ogen',
    needs: ['go'],
    copy: forOgen,
    settings: ['ogen.yml', 'ogen.yml'],
    doesNotPlay: 'it skips lists: it knows no `anyOf` of two objects, which a page in either style is',
    steps: [
      {
        what: 'generates',
        run: [
          ...['go', 'run', ogen.replace('@', '/cmd/ogen@'), '--config', 'ogen.yml'],
          ...['--target', 'eas', '--package', 'eas', '--clean', document],
        ],
      } as const,
      compile(['go', 'mod', 'init', 'example.com/eas/client']),
      compile(['go', 'get', ogen]),
      compile(['go', 'mod', 'tidy']),
      compile(['go', 'build', './...']),
    ].map(withGo),
  },
];

export const generators: readonly Generator[] = [...openapiGenerators, ...others];
