// Imports between files and folders: no cycles, and downward only. Run by `npm run check imports` (tools/check-imports.ts).
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The layers of each project, the top one first: a file imports from its own folder and from lower layers. An entry includes
 * its subfolders that have no entry; `.` is the source folder without subfolders. `across`: allowed imports between folders of
 * one layer. docs/architecture.md lists the layers of each library.
 */
const layersOf = {
  'apps/admin-dashboard/src': {
    layers: [
      ['.'],
      [
        'access',
        'agents',
        'analytics',
        'inbound',
        'inbox',
        'integrations',
        'overview',
        'profiles',
        'budgets',
        'policies',
        'projects',
        'runs',
        'system',
        'tasks',
        'tenants',
        'webhooks',
        'workflows',
      ],
      ['shell', 'resources'],
      ['parts'],
      ['live'],
      ['api'],
    ],
  },
  'apps/agent-runner/src': {
    layers: [
      ['cli'],
      ['start'],
      ['task'],
      ['acp'],
      ['agent', 'project'],
      ['model-proxy', 'profile', 'transcript'],
      ['git', 'lease'],
      ['api', 'command', 'verdict'],
      ['.'],
      ['account'],
      ['presets'],
      ['key'],
    ],
  },
  'apps/api-gateway/src': {
    layers: [
      ['.'],
      ['board', 'dashboard', 'docs', 'mcp', 'oauth', 'routes'],
      ['pages', 'system'],
      ['operations'],
      ['supervisor'],
    ],
    // An endpoint is a resource of the authorization server.
    across: ['mcp > oauth'],
  },
  'apps/standalone/src': {
    layers: [
      ['starting', 'commands'],
      ['backup', 'diagnosis', 'runners'],
      ['preparation', 'supervision'],
      ['data-folder'],
      ['.'],
    ],
  },
  'apps/webhook-receiver/src': { layers: [['.'], ['routes']] },

  // Broken on purpose: `npm run check imports` must find it.
  'tools/canary/layers': { layers: [['top', 'middle'], ['bottom']] },

  'libs/access/src': {
    layers: [
      ['authentication', 'sign-in'],
      ['users'],
      ['keys', 'oauth', 'sessions'],
      ['tenants'],
      ['audit', 'rules', 'views'],
    ],
  },
  'libs/chat/src': { layers: [['clicks', 'posting'], ['messages'], ['templates']] },
  'libs/platform-calls/src': { layers: [['making'], ['api', 'calls']] },
  'libs/receiving/src': { layers: [['replays', 'verifying'], ['receipts']] },
  'libs/analytics/src': { layers: [['.'], ['recounts'], ['overdue'], ['facts', 'tenant-usage']] },
  'libs/source-host/src': { layers: [['.'], ['pull-requests'], ['api']] },
  'libs/task-platform/src': { layers: [['.', 'reconciles', 'reporting'], ['changes'], ['api']] },
  'libs/task-sync/src': { layers: [['calling'], ['applying'], ['merging']] },
  'libs/tasks/src': {
    layers: [
      [
        'working/claims',
        'working/leases',
        'working/model-calls',
        'working/runners',
        'steering',
        'planning',
        'sweeping',
      ],
      ['moves', 'reading'],
      [
        'records/acceptance',
        'records/agents',
        'records/budgets',
        'records/directives',
        'records/inputs',
        'records/leases',
        'records/permissions',
        'records/model-calls',
        'records/profiles',
        'records/projects',
        'records/runners',
        'records/sessions',
        'records/tasks',
        'records/timeline',
      ],
      ['records'],
    ],
    across: [
      // Resuming is a call under a lease, and returns what a claim returns.
      'working/claims > working/leases',
      'working/model-calls > working/leases',
      'records/acceptance > records/agents',
      'records/acceptance > records/tasks',
      // The row that a claim locks records whether budgets block some projects for the agent.
      'records/agents > records/budgets',
      'records/agents > records/tasks',
      'records/leases > records/directives',
      // What ends leases also counts the tasks that were completed under them.
      'records/leases > records/tasks',
      'records/profiles > records/agents',
      'records/projects > records/tasks',
      // The attempt number of an entry is the number of its claim.
      'records/sessions > records/timeline',
    ],
  },
  'libs/webhooks/src': { layers: [['replays', 'sending'], ['deliveries', 'reading'], ['endpoints'], ['events']] },
  'libs/workflows/src': {
    layers: [
      ['runs'],
      ['engine', 'reading'],
      ['definitions', 'records'],
      ['definitions/checks'],
      ['definitions/language'],
    ],
  },

  'libs/shared/contracts/src': {
    layers: [
      ['http/profiles'],
      [
        'http/admin',
        'http/agents',
        'http/integrations',
        'http/permissions',
        'http/usage',
        'http/webhooks',
        'http/workflows',
      ],
      ['http'],
      ['http/asking', 'http/git', 'http/platform'],
      ['events'],
      ['metrics'],
      ['jobs'],
      ['.'],
    ],
  },
  'libs/shared/core/src': { layers: [['.', 'json', 'sharing']] },
  'libs/shared/db/src': {
    layers: [
      ['secrets'],
      ['.'],
      ['transactions', 'lists', 'migrations', 'embedded', 'server', 'storage', 'load'],
      ['retention'],
      ['connection', 'plans'],
    ],
  },
  'libs/shared/http/src': {
    layers: [
      ['.', 'in-process', 'open-api'],
      ['handling'],
      ['pages'],
      ['exchange'],
      ['idempotency', 'limits', 'pass-through', 'security'],
      ['routes'],
      ['intake', 'reading', 'streams'],
    ],
  },
  'libs/shared/queue/src': { layers: [['board', 'consuming', 'relaying'], ['backends']] },
  'libs/shared/runtime/src': { layers: [['.'], ['health'], ['settings'], ['metrics', 'tracing']] },
  'libs/shared/testing/src': {
    layers: [['jest'], ['systems'], ['.'], ['hostile-receivers', 'source-host', 'statements']],
  },
};

/** A library's index, entry points and test code belong to no layer: they may import everything. */
const entryFiles = ['^libs/.*/src/index\\.ts$', '/main\\.ts$', '\\.(spec|fixture)\\.ts$'];
const pathOf = (project, name) => (name === '.' ? project : `${project}/${name}`);

/** The files of an entry, without those of entries inside it. */
function filesOf(project, name, names) {
  if (name === '.') return `^${project}/[^/]+$`;
  const inner = names.filter((other) => other.startsWith(`${name}/`)).map((other) => other.slice(name.length + 1));
  return `^${pathOf(project, name)}/${inner.length > 0 ? `(?!(${inner.join('|')})/)` : ''}`;
}

function rulesOf([project, { layers, across = [] }]) {
  const names = layers.flat();
  const gone = names.filter((name) => !existsSync(join(__dirname, pathOf(project, name))));
  if (gone.length > 0) throw new Error(`.dependency-cruiser.cjs: ${project} has no folder ${gone.join(', ')}`);
  const files = (name) => filesOf(project, name, names);
  const above = layers.flatMap((layer, index) =>
    layer.map((name) => {
      const neighbours = layer.filter((other) => other !== name && !across.includes(`${name} > ${other}`));
      const higher = [...layers.slice(0, index).flat(), ...neighbours];
      return {
        name: `downward-only: ${pathOf(project, name)}`,
        severity: 'error',
        from: { path: files(name), pathNot: entryFiles },
        to: { path: higher.map(files), pathNot: entryFiles },
      };
    }),
  );
  const noLayer = { path: `^${project}/`, pathNot: [...entryFiles, ...names.map(files)] };
  return [
    ...above.filter(({ to }) => to.path.length > 0),
    { name: `no-layer: ${project}`, severity: 'error', from: noLayer, to: {} },
    { name: `no-layer: ${project}`, severity: 'error', from: {}, to: noLayer },
  ];
}

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      // The packages of foreign tools and of peers are installed where they are used.
      from: { pathNot: ['/generated/', '^bench/peers/', '^tools/contract/client/'] },
      to: { couldNotResolve: true, pathNot: '/generated/' },
    },
    {
      name: 'no-layers-for-project',
      comment: 'A project of several folders needs an entry in layersOf.',
      severity: 'error',
      from: {
        path: '^((?:apps|libs)/.*?/src)/[^/]+/',
        pathNot: [...entryFiles, ...Object.keys(layersOf).map((name) => `^${name}/`)],
      },
      to: { path: '^$1/[^/]+/', pathNot: entryFiles },
    },
    ...Object.entries(layersOf).flatMap(rulesOf),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/generated/', '^tools/contract/tmp/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
