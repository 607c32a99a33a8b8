import type { ErrorResponse, Principal } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { type RouteResponse, callRoute, type HttpDeps, respondToError, type RequestFacts } from '@eas/http';
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { ownAgentArgument, type Tool } from './bind-tools.ts';

export type McpCall = {
  ctx: UseCaseContext;
  request: RequestFacts & { principal: Principal; body: unknown };
  /** Called with what to undo when the response is not received. */
  onUnsent: (undo: RouteResponse['onUnsent']) => void;
};

export type ToolParts = { tools: ReadonlyMap<string, Tool>; budget: HttpDeps['budget'] };

/** Calls the route of a tool. Errors of the route become results with the error body of REST. */
export async function callTool(
  { tools, budget }: ToolParts,
  { ctx, request, onUnsent }: McpCall,
  { name, arguments: args = {} }: CallToolRequest['params'],
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.`);
  try {
    await countCall(budget, tool, request.principal);
    const given = withOwnAgent(tool, request.principal, withDefaults(tool, args));
    const response = await callRoute(tool.route, ctx, request, given);
    onUnsent(response.onUnsent);
    return resultOf(tool, response);
  } catch (error) {
    const { status, body } = respondToError(error, 'rest', request.requestId);
    if (status >= 500) ctx.logger.error({ err: error, tool: name }, 'tool call failed');
    return { content: [...textOf(JSON.stringify(body)), ...adviceOn(name, body as ErrorResponse)], isError: true };
  }
}

const goOn =
  'Call list_my_leases: if the task is there, call resume_task with the lease_id and fencing_token from there and go on. ' +
  'If it is not, another agent may have it: call claim_task.';
const late =
  'If the work is finished, call complete_task with this lease_id and fencing_token, and its artifacts: that is accepted ' +
  'while no other agent has claimed the task. Otherwise stop working on it.';

/** What a model can do about an error, in the words of its tools. */
function adviceOn(tool: string, { error: { details } }: ErrorResponse): CallToolResult['content'] {
  if (details.constraint !== 'lease_lost') return [];
  return textOf(tool === 'complete_task' ? `Stop working on the task. ${goOn}` : `${late} ${goOn}`);
}

const isLeftOut = (args: Record<string, unknown>, name: string): boolean => (args[name] ?? null) === null;

/** Some models send null for arguments that they omit. */
function withDefaults({ defaults }: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const wanted = Object.entries(defaults).filter(([name]) => isLeftOut(args, name));
  return { ...args, ...Object.fromEntries(wanted) };
}

/** Each request was counted as a call of an agent; routes that count in the window of the API are counted there too. */
async function countCall(budget: HttpDeps['budget'], { route }: Tool, principal: Principal): Promise<void> {
  if (!budget || route.bucket === 'agent') return;
  const { refusal } = await budget.take(principal, route.bucket);
  if (refusal) throw refusal;
}

function withOwnAgent({ route }: Tool, { actor }: Principal, args: Record<string, unknown>): Record<string, unknown> {
  if (!isLeftOut(args, ownAgentArgument) || !actor.agentId || !route.params?.shape[ownAgentArgument]) return args;
  return { ...args, [ownAgentArgument]: actor.agentId };
}

/** A response without a body is described in the words of the contract. */
function resultOf({ route }: Tool, { status, body }: RouteResponse): CallToolResult {
  if (body === undefined) return contentOf({}, route.responses[status]?.description);
  return contentOf(body as Record<string, unknown>);
}

/** Structured, and as text for clients that know nothing else. An error is text alone: it does not fit the schema. */
function contentOf(body: Record<string, unknown>, text = JSON.stringify(body)): CallToolResult {
  return { content: textOf(text), structuredContent: body };
}

const textOf = (...texts: string[]): CallToolResult['content'] => texts.map((text) => ({ type: 'text', text }));
