// Allowed imports between projects, as in docs/architecture.md. Every project has one `type:` and one `scope:`.
const LIBRARIES = ['contracts', 'core', 'db', 'bulk-jobs', 'outbound', 'queue', 'http', 'egress', 'runtime'];
const PLATFORM = LIBRARIES.map((name) => `type:shared-${name}`);

/** type → types that it may import, in addition to its own project */
export const TYPES = {
  'type:app': ['type:feature', ...PLATFORM],
  'type:feature': [
    'type:feature',
    'type:shared-bulk-jobs',
    'type:shared-outbound',
    'type:shared-db',
    'type:shared-contracts',
    'type:shared-core',
  ],
  'type:shared-core': [],
  'type:shared-contracts': ['type:shared-core'],
  'type:shared-db': ['type:shared-contracts', 'type:shared-core'],
  'type:shared-bulk-jobs': ['type:shared-db', 'type:shared-contracts', 'type:shared-core'],
  'type:shared-outbound': ['type:shared-db', 'type:shared-contracts', 'type:shared-core'],
  'type:shared-runtime': ['type:shared-db', 'type:shared-contracts', 'type:shared-core'],
  'type:shared-queue': ['type:shared-runtime', 'type:shared-db', 'type:shared-contracts', 'type:shared-core'],
  'type:shared-egress': ['type:shared-runtime', 'type:shared-contracts', 'type:shared-core'],
  'type:shared-http': [
    'type:shared-queue',
    'type:shared-runtime',
    'type:shared-db',
    'type:shared-contracts',
    'type:shared-core',
  ],
  'type:shared-testing': PLATFORM,
  'type:client': ['type:shared-contracts'],
  'type:package': [],
  'type:tool': ['type:feature', 'type:shared-testing', ...PLATFORM],
};

const CONNECTED = ['integrations', 'receiving', 'platform-calls', 'task-platform', 'source-host', 'task-sync', 'chat'];
const FEATURES = ['access', 'tasks', 'workflows', 'webhooks', 'analytics', ...CONNECTED];
const UNDER_PLATFORMS = ['receiving', 'platform-calls', 'integrations', 'tasks', 'shared'];
const scopes = (...names) => names.map((name) => `scope:${name}`);

/** scope → scopes it may import */
export const SCOPES = {
  'scope:shared': scopes('shared'),
  'scope:access': scopes('access', 'shared'),
  'scope:tasks': scopes('tasks', 'shared'),
  'scope:workflows': scopes('workflows', 'tasks', 'shared'),
  'scope:integrations': scopes('integrations', 'tasks', 'shared'),
  'scope:receiving': scopes('receiving', 'integrations', 'shared'),
  'scope:platform-calls': scopes('platform-calls', 'integrations', 'shared'),
  'scope:task-platform': scopes('task-platform', ...UNDER_PLATFORMS),
  'scope:source-host': scopes('source-host', 'task-platform', ...UNDER_PLATFORMS),
  'scope:task-sync': scopes('task-sync', 'source-host', 'task-platform', ...UNDER_PLATFORMS),
  'scope:chat': scopes('chat', 'receiving', 'integrations', 'tasks', 'shared'),
  'scope:webhooks': scopes('webhooks', 'shared'),
  'scope:analytics': scopes('analytics', 'shared'),
  'scope:gateway': scopes('gateway', ...FEATURES, 'shared'),
  'scope:receiver': scopes('receiver', 'receiving', 'task-platform', 'source-host', 'chat', 'integrations', 'shared'),
  'scope:orchestrator': scopes(
    'orchestrator',
    'workflows',
    'task-sync',
    'source-host',
    'task-platform',
    ...UNDER_PLATFORMS,
  ),
  'scope:dispatcher': scopes('dispatcher', 'webhooks', 'chat', 'integrations', 'shared'),
  'scope:aggregator': scopes('aggregator', 'analytics', 'shared'),
  'scope:standalone': scopes('standalone', ...FEATURES, 'shared'),
  'scope:client': scopes('client', 'shared'),
  'scope:webhook-verifier': scopes('webhook-verifier', 'shared'),
  'scope:tools': scopes('tools', ...FEATURES, 'shared'),
};

// Specs of the platform use the test kit, which is made of the platform: a circle of projects, never of files.
const testKitCircles = LIBRARIES.map((name) => [`@eas/${name}`, '@eas/testing']);

const constraint = ([sourceTag, onlyDependOnLibsWithTags]) => ({ sourceTag, onlyDependOnLibsWithTags });

/** Published packages depend on no package at all. */
const noPackages = { sourceTag: 'type:package', bannedExternalImports: ['*'] };

/** The boundary rule's entry; a spec may import the test kit as well. */
export function boundaryRule({ isSpec }) {
  const types = Object.entries(TYPES).map(([source, targets]) => [
    source,
    isSpec && source !== 'type:client' ? [...targets, 'type:shared-testing'] : targets,
  ]);
  return [
    'error',
    {
      enforceBuildableLibDependency: false,
      // A Redis, a whole system or packages of one's own, for tests, benchmarks and the demo alike.
      allow: [
        '^@eas/testing/(eventually|kept-memory|own-system|shared-system|watched-system|programs|source-host|together)$',
        '/install-packages\\.ts$',
      ],
      banTransitiveDependencies: false,
      ignoredCircularDependencies: testKitCircles,
      depConstraints: [...[...types, ...Object.entries(SCOPES)].map(constraint), ...(isSpec ? [] : [noPackages])],
    },
  ];
}
