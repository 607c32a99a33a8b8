// What scripts make a model do, bound to the tools that an agent offers.
import type { Reply, Tool } from './conversation.ts';

export type Step =
  | { say: string }
  | { shell: string; timeoutMs?: number }
  /** Waits for a command that runs on. */
  | { wait: number }
  /** Asks the person with the agent's own tool. */
  | { ask: { question: string; options: readonly string[] } }
  /** A response of an API that fails, or is cut off in the middle. */
  | { status: number; message: string }
  | { cut: true };

const shells = ['Bash', 'exec_command', 'shell', 'shell_command', 'local_shell', 'run_shell_command', 'bash'];
const waits = ['write_stdin'];
const asks = ['AskUserQuestion', 'request_user_input', 'ask_user', 'question', 'ask_user_question'];

type ToolStep = Exclude<Step, { say: string } | { status: number } | { cut: true }>;

let calls = 0;

/** The step as a call of a tool, or a text that says what is not there. */
export function replyTo(step: ToolStep | { say: string }, tools: readonly Tool[]): Reply {
  if ('say' in step) return { text: step.say };
  const names = 'shell' in step ? shells : 'wait' in step ? waits : asks;
  const tool = tools.find(({ name }) => names.includes(name));
  if (!tool) return { text: `No tool for this: ${tools.map(({ name }) => name).join(' ')}` };
  const wanted = argumentsOf(step, tool);
  calls += 1;
  return { call: { id: `call_${process.pid}_${calls}`, name: tool.name, arguments: { ...required(tool), ...wanted } } };
}

function argumentsOf(step: ToolStep, tool: Tool): Record<string, unknown> {
  if ('shell' in step) return shellArguments(tool, step);
  if ('wait' in step) return { session_id: step.wait, chars: '', yield_time_ms: 30_000 };
  return askArguments(tool, step.ask);
}

const has = ({ parameters }: Tool, name: string) => parameters.properties?.[name] !== undefined;

function shellArguments(
  tool: Tool,
  { shell, timeoutMs }: { shell: string; timeoutMs?: number },
): Record<string, unknown> {
  const isList = tool.parameters.properties?.['command']?.type === 'array';
  const command = has(tool, 'cmd') ? { cmd: shell } : { command: isList ? ['bash', '-lc', shell] : shell };
  const limit = ['timeout', 'timeout_ms', 'yield_time_ms'].find((name) => has(tool, name));
  return { ...command, ...(timeoutMs !== undefined && limit ? { [limit]: timeoutMs } : {}) };
}

function askArguments(tool: Tool, { question, options }: { question: string; options: readonly string[] }) {
  const listed = options.map((label) => ({ label, description: label }));
  const one = { question, header: 'Choice', options: listed, multiSelect: false };
  const isCodex = tool.name === 'request_user_input';
  return { questions: [isCodex ? { ...one, id: 'choice' } : { ...one, type: 'choice' }] };
}

const samples: Record<string, unknown> = { string: 'x', number: 1, integer: 1, boolean: false, array: [], object: {} };

/** What else a tool requires. */
function required({ parameters: { properties = {}, required: names = [] } }: Tool): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name])]));
}

/** A value that fits a JSON schema, as far as agents use them. */
export function sampleOf(schema: unknown): unknown {
  const { type, properties, enum: values, items } = (schema ?? {}) as Record<string, unknown>;
  if (Array.isArray(values)) return values[0];
  const kind = String(Array.isArray(type) ? type[0] : type).toLowerCase();
  if (kind === 'object')
    return Object.fromEntries(
      Object.entries((properties ?? {}) as object).map(([name, value]) => [name, sampleOf(value)]),
    );
  return kind === 'array' && items ? [] : samples[kind];
}
