import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import type { Upstream } from '../presets/providers.ts';
import { passBudgets, unused } from './budget-gate.ts';
import { abortOf, bodyOf, isSame, objectIn, sendJson, sendProblem, tokenOf } from './http-parts.ts';
import { passOn } from './pass-on.ts';
import { unseenTokens } from './unseen-input.ts';
import { isFree, type WireFormat, wireFormats } from './wire-formats.ts';

export type Serving = {
  keeper: Pick<LeaseKeeper, 'call' | 'report'>;
  upstreams: readonly Upstream[];
  token: string;
  /** Aborts when the proxy closes. */
  ending: AbortSignal;
  /** Called with the reason when a budget refuses a call, and without when a call may begin. */
  onBudget: (refusal: string | undefined) => void;
  log: Log;
};

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Target = { upstream: Upstream; path: string; signal: AbortSignal };

/** Passes a request on, if it has the token and is of a known kind; calls only with what budgets have left. */
export async function serveRequest(serving: Serving, { request, response }: Exchange): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://proxy');
  const [, provider = '', ...rest] = url.pathname.split('/');
  const upstream = serving.upstreams.find(({ id }) => id === provider);
  if (!upstream) return sendProblem(response, 404, `The runner has no key of ${provider}.`);
  if (!isSame(tokenOf(request, url), serving.token))
    return sendProblem(response, 401, 'The token is not that of the task.');
  url.searchParams.delete('key');
  const [path, { method = '' }] = [`/${rest.join('/')}`, request];
  const target = { upstream, path: `${path}${url.search}`, signal: abortOf(response, serving.ending) };
  const format = wireFormats.find((one) => one.provider === provider && one.isCall(path));
  if (format && method === 'POST') return serveCall(serving, { request, response }, { ...target, format });
  if (!isFree(method, path)) return sendProblem(response, 404, `The runner does not pass on ${method} ${path}.`);
  const body = await bodyOf(request);
  if (!body) return sendProblem(response, 413, tooLarge);
  await passOn({ request, response, body, ...target });
}

const tooLarge = 'The request is larger than 64 MiB.';

async function serveCall(
  { keeper, onBudget, log }: Serving,
  { request, response }: Exchange,
  target: Target & { format: WireFormat },
): Promise<void> {
  const { format, path, signal } = target;
  const given = await bodyOf(request);
  if (!given) return sendJson(response, 413, format.refusal(tooLarge));
  const json = objectIn(given);
  if (!json) return sendJson(response, 400, format.refusal('The request is not a JSON object.'));
  const prepared = format.prepare(json);
  const body = prepared === json ? given : Buffer.from(JSON.stringify(prepared));
  const facts = format.factsOf(json, path.split('?')[0] ?? path);
  const input = body.length + unseenTokens(json);
  const gate = await passBudgets(keeper, { ...facts, input }, signal);
  if ('refusal' in gate) {
    if (gate.isBudget) onBudget(gate.refusal);
    log(`a call to ${facts.model.slice(0, 200)} was refused: ${gate.refusal}`);
    return sendJson(response, 400, format.refusal(gate.refusal));
  }
  onBudget(undefined);
  let isSent = false;
  const onSent = () => void (isSent = true);
  const passed = passOn({ request, response, body, ...target, onSent }).catch(async (error: unknown) => {
    // What was not sent has cost nothing; what was broken off counts as estimated.
    if (!isSent) await gate.end(unused);
    throw error;
  });
  const { isFailure, usage } = await passed;
  await gate.end(isFailure ? unused : usage);
}
