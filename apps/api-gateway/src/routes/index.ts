import type { Cookies, SignIn } from '@eas/access';
import type { ChangeWaits } from '@eas/db';
import type { Route } from '@eas/http';
import type { ChatTesting } from '@eas/chat';
import type { EndpointRules, EndpointTesting } from '@eas/webhooks';
import type { RepositoryRules, WaitingClaims } from '@eas/tasks';
import { type LocalRunnerParts, localRunnerRoutes } from './agents/local-runners.routes.ts';
import { adminSystemRoutes, type SystemFacts } from '../system/admin-system.routes.ts';
import { adminUsageRoutes } from '../system/admin-usage.routes.ts';
import { adminAuditRoutes } from './admin/admin-audit.routes.ts';
import { adminClientRoutes } from './admin/admin-clients.routes.ts';
import { adminKeyRoutes } from './admin/admin-keys.routes.ts';
import { adminSessionRoutes } from './admin/admin-session.routes.ts';
import { adminTenantRoutes, type TenantParts } from './admin/admin-tenants.routes.ts';
import { adminUserRoutes } from './admin/admin-users.routes.ts';
import { adminNameRoutes } from './admin/admin-names.routes.ts';
import { adminViewRoutes } from './admin/admin-views.routes.ts';
import { agentKeyRoutes } from './agents/agent-keys.routes.ts';
import { agentRoutes } from './agents/agents.routes.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { budgetRoutes } from './budgets.routes.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { inboundEventRoutes } from './inbound-events.routes.ts';
import { inputRoutes } from './inputs.routes.ts';
import { integrationRoutes } from './integrations.routes.ts';
import { leaseRoutes } from './leases.routes.ts';
import { profileRoutes } from './profiles.routes.ts';
import { permissionRoutes } from './permissions.routes.ts';
import { policyRoutes } from './policies.routes.ts';
import { projectRoutes } from './projects.routes.ts';
import { replayRoutes } from './replays.routes.ts';
import { runnerRoutes } from './agents/runners.routes.ts';
import { runRoutes } from './runs.routes.ts';
import { streamRoutes } from './streams.routes.ts';
import { taskRoutes } from './tasks.routes.ts';
import { timelineRoutes } from './timeline.routes.ts';
import { usageRoutes } from './usage.routes.ts';
import { webhookEventRoutes } from './webhook-events.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { workflowRoutes } from './workflows.routes.ts';

export type RouteParts = {
  waitingClaims: WaitingClaims;
  /** Requests a minute of a whole tenant. */
  rateCeiling: number;
  endpointRules: EndpointRules;
  repositoryRules: RepositoryRules;
  endpointTesting: EndpointTesting;
  chatTesting: ChatTesting;
  changeWaits: ChangeWaits;
  signIn: SignIn;
  cookies: Cookies;
  system: SystemFacts;
  supervisor: LocalRunnerParts['supervisor'];
  shippedWorkflows: TenantParts['shippedWorkflows'];
  /** What clients call, without a final slash. */
  baseUrl: string;
};

export const apiRoutes = ({
  waitingClaims,
  rateCeiling,
  endpointRules,
  endpointTesting,
  ...parts
}: RouteParts): Route[] => [
  ...taskRoutes,
  ...timelineRoutes,
  ...streamRoutes,
  ...agentRoutes,
  ...agentKeyRoutes(rateCeiling),
  ...runnerRoutes,
  ...localRunnerRoutes({ supervisor: parts.supervisor, rateCeiling }),
  ...leaseRoutes(waitingClaims, parts.changeWaits),
  ...inputRoutes,
  ...permissionRoutes,
  ...webhookRoutes(endpointRules, endpointTesting),
  ...deliveryRoutes,
  ...replayRoutes,
  ...webhookEventRoutes(parts.changeWaits),
  ...eventRoutes,
  ...integrationRoutes(parts.baseUrl, parts.chatTesting, endpointRules),
  ...inboundEventRoutes,
  ...projectRoutes(parts.repositoryRules),
  ...profileRoutes,
  ...policyRoutes,
  ...workflowRoutes,
  ...runRoutes,
  ...budgetRoutes,
  ...analyticsRoutes,
  ...usageRoutes,
  ...adminSessionRoutes(parts.signIn, parts.cookies),
  ...adminKeyRoutes(rateCeiling),
  ...adminClientRoutes(rateCeiling),
  ...adminUserRoutes(parts.baseUrl),
  ...adminTenantRoutes(parts),
  ...adminViewRoutes,
  ...adminNameRoutes,
  ...adminAuditRoutes,
  ...adminSystemRoutes(parts.system),
  ...adminUsageRoutes,
];
