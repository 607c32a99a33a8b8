import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type {
  AppControllerRoute,
  BullBoardQueues,
  BullBoardRequest,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import type { OpenQueues } from '../backends/open-queues.ts';
import { boardFolder } from './board-page.ts';

export { boardAdditions, boardAssets, renderBoardPage } from './board-page.ts';

type BoardMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

type BoardCall = {
  queues: OpenQueues;
  /** Otherwise the queues are read-only. */
  mayChange: boolean;
  params: Record<string, string>;
  query: Record<string, unknown>;
};

export type BoardRoute = {
  method: BoardMethod;
  /** Below the board's own path, parameters in braces. */
  path: string;
  params: readonly string[];
  /** What it does to queues or jobs; undefined if it only reads or is always refused. */
  act: BoardAct | undefined;
  respond(call: BoardCall): Promise<{ status: number; body: unknown }>;
};

/**
 * Allowed manual operations, by the library's routes: retrying, removing and delaying jobs, pausing queues. Only the
 * service creates jobs and limits, so nothing is added, edited or obliterated here.
 */
const acts = {
  '/api/queues/pause': 'pause_all',
  '/api/queues/resume': 'resume_all',
  '/api/queues/:queueName/pause': 'pause',
  '/api/queues/:queueName/resume': 'resume',
  '/api/queues/:queueName/empty': 'empty',
  '/api/queues/:queueName/promote': 'promote_all',
  '/api/queues/:queueName/retry/:queueStatus': 'retry_all',
  '/api/queues/:queueName/clean/:queueStatus': 'remove_all',
  '/api/queues/:queueName/:jobId/retry': 'retry',
  '/api/queues/:queueName/:jobId/clean': 'remove',
  '/api/queues/:queueName/:jobId/promote': 'promote',
} as const;
type BoardAct = (typeof acts)[keyof typeof acts];

/** Configuration of the page; `dashboard` is where its link leads. */
const uiConfigOf = (dashboard: string): UIConfig => ({
  boardTitle: 'Queues',
  favIcon: { default: 'static/images/logo.svg', alternative: 'static/favicon-32x32.png' },
  miscLinks: [{ text: 'Dashboard', url: dashboard }],
  hideDocsLink: true,
  // It would list all clients of Redis, for each queue at each poll of the page.
  showWorkers: false,
});

export type QueueBoard = { routes: readonly BoardRoute[]; uiConfig: UIConfig };

/** The board as routes of the gateway: the board's own server adapter would bring its own order of checks. */
export function createQueueBoard(dashboard: string): QueueBoard {
  const uiConfig = uiConfigOf(dashboard);
  let found: AppControllerRoute[] = [];
  let respondToError: ((error: Error) => ControllerHandlerReturnType) | undefined;
  const collector: IServerAdapter = {
    setQueues: () => collector,
    setViewsPath: () => collector,
    setStaticPath: () => collector,
    setEntryRoute: () => collector,
    setUIConfig: () => collector,
    setErrorHandler: (handler) => ((respondToError = handler), collector),
    setApiRoutes: (routes) => ((found = routes), collector),
  };
  createBullBoard({ queues: [], serverAdapter: collector, options: { uiBasePath: boardFolder, uiConfig } });
  const routes = found.flatMap((route) => boardRoutes(route, uiConfig, respondToError));
  const missing = Object.values(acts).filter((act) => !routes.some((route) => route.act === act));
  if (missing.length > 0) throw new Error(`the queue board has no route for ${missing.join(', ')}`);
  return { routes, uiConfig };
}

function boardRoutes(
  { method, route, handler }: AppControllerRoute,
  uiConfig: UIConfig,
  respondToError: ((error: Error) => ControllerHandlerReturnType) | undefined,
): BoardRoute[] {
  return [method].flat().flatMap((one) =>
    [route].flat().map((path): BoardRoute => {
      const act = one === 'put' ? (acts as Record<string, BoardAct>)[path] : undefined;
      const isRefused = one !== 'get' && act === undefined;
      return {
        method: one.toUpperCase() as BoardMethod,
        path: path.replaceAll(/:(\w+)/g, '{$1}'),
        params: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
        act,
        async respond({ queues, mayChange, params, query }) {
          if (isRefused) return refusal;
          const request = { queues: adaptersOf(queues, mayChange), uiConfig, params, query, body: {}, headers: {} };
          const response = await Promise.resolve(handler(request as BullBoardRequest)).catch((error: Error) => {
            if (!respondToError) throw error;
            return respondToError(error);
          });
          return { status: response.status ?? 200, body: response.body };
        },
      };
    }),
  );
}

const refusal = {
  status: 403,
  body: { error: { key: 'ERRORS.FORBIDDEN' }, message: 'The service makes jobs and limits itself.' },
};

function adaptersOf(queues: OpenQueues, mayChange: boolean): BullBoardQueues {
  const options = { readOnlyMode: !mayChange, allowCompletedRetries: false };
  return new Map(queues.all().map((queue) => [queue.name, new BullMQAdapter(queue, options)]));
}
