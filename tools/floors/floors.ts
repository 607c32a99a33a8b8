// Which folder stands above which, project by project: a file imports from its own folder and from floors below. Checked by
// tools/check-cycles.ts; docs/architecture.md says what the floors of a feature are.
import type { Floors } from './folder-rules.ts';

export const floorsOf: Readonly<Record<string, Floors>> = {
  'apps/admin-dashboard/src': {
    floors: [
      ['.'],
      [
        'access',
        'agents',
        'analytics',
        'inbound',
        'inbox',
        'integrations',
        'overview',
        'runs',
        'system',
        'tasks',
        'webhooks',
        'workflows',
      ],
      ['shell', 'resources'],
      ['parts'],
      ['live'],
      ['api'],
    ],
  },
  'apps/agent-runner/src': { floors: [['task'], ['api', 'command'], ['.'], ['key']] },
  'apps/api-gateway/src': {
    floors: [['.'], ['board', 'dashboard', 'docs', 'mcp', 'oauth', 'routes'], ['pages', 'system'], ['operations']],
  },
  'apps/standalone/src': {
    floors: [['starting', 'commands'], ['backup', 'diagnosis'], ['preparation', 'supervision'], ['data-folder'], ['.']],
  },
  'apps/webhook-receiver/src': { floors: [['.'], ['routes']] },

  'libs/access/src': {
    floors: [['authentication', 'sign-in'], ['users'], ['keys', 'oauth', 'sessions'], ['audit', 'rules', 'views']],
  },
  'libs/integrations/src': {
    floors: [
      ['calling', 'chat/clicks'],
      ['applying', 'receiving', 'reconciles', 'replays', 'reporting'],
      ['platform', 'source-host', 'chat/posting'],
      ['chat/messages'],
      ['calls', 'inbound', 'integrations', 'platform-api', 'chat/templates'],
    ],
    across: ['source-host > platform'],
  },
  'libs/tasks/src': {
    floors: [
      ['working/claims', 'working/leases', 'steering', 'planning', 'sweeping'],
      ['moves', 'reading'],
      [
        'records/acceptance',
        'records/agents',
        'records/artifacts',
        'records/directives',
        'records/inputs',
        'records/leases',
        'records/plans',
        'records/tasks',
        'records/timeline',
      ],
    ],
    across: [
      'records/acceptance > records/agents',
      'records/acceptance > records/tasks',
      'records/agents > records/tasks',
      'records/leases > records/directives',
      'records/plans > records/tasks',
    ],
  },
  'libs/webhooks/src': { floors: [['replays', 'sending'], ['deliveries', 'reading'], ['endpoints'], ['events']] },
  'libs/workflows/src': {
    floors: [
      ['runs'],
      ['engine', 'reading'],
      ['definitions', 'records'],
      ['definitions/checks'],
      ['definitions/language'],
    ],
  },

  'libs/shared/contracts/src': {
    floors: [
      ['http/admin', 'http/chat', 'http/source-host', 'http/webhooks', 'http/workflows'],
      ['http'],
      ['http/platform'],
      ['events'],
      ['metrics'],
      ['jobs'],
      ['.'],
    ],
  },
  'libs/shared/core/src': { floors: [['.', 'json', 'sharing', 'tracing']] },
  'libs/shared/db/src': {
    floors: [['secrets'], ['.'], ['transactions', 'lists', 'migrations', 'retention', 'embedded'], ['connection']],
  },
  'libs/shared/http/src': {
    floors: [
      ['.', 'in-process', 'open-api'],
      ['handling'],
      ['pages'],
      ['exchange'],
      ['idempotency', 'limits', 'pass-through', 'security'],
      ['routes'],
      ['intake', 'reading', 'streams'],
    ],
  },
  'libs/shared/queue/src': { floors: [['board', 'consuming', 'relaying'], ['backends']] },
  'libs/shared/runtime/src': { floors: [['.'], ['health'], ['metrics', 'tracing']] },
  'libs/shared/testing/src': { floors: [['jest'], ['systems'], ['.'], ['hostile-receivers', 'statements']] },
};
