import { z } from 'zod';

// The parts of an agent's responses that the runner reads. Most fields are optional: agents differ.

const flag = z.boolean().nullish();
const given = z.unknown().transform((value) => value !== undefined && value !== null && value !== false);

export const initialized = z
  .looseObject({
    protocolVersion: z.number(),
    agentInfo: z.looseObject({ name: z.string(), version: z.string() }).nullish(),
    agentCapabilities: z
      .looseObject({
        loadSession: flag,
        sessionCapabilities: z.looseObject({ resume: given.optional() }).nullish(),
        mcpCapabilities: z.looseObject({ http: flag, sse: flag }).nullish(),
      })
      .nullish(),
    _meta: z.looseObject({ steering: z.looseObject({ supported: flag }).nullish() }).nullish(),
  })
  .transform(({ protocolVersion, agentInfo, agentCapabilities, _meta }) => ({
    protocolVersion,
    name: agentInfo?.name ?? 'an agent',
    version: agentInfo?.version ?? 'of an unknown version',
    canResume: agentCapabilities?.sessionCapabilities?.resume === true,
    canLoad: agentCapabilities?.loadSession === true,
    /** The transports, other than stdio, by which it reaches MCP servers. */
    transports: (['http', 'sse'] as const).filter((type) => agentCapabilities?.mcpCapabilities?.[type] === true),
    /** Whether it accepts messages in the middle of a turn. */
    canSteer: _meta?.steering?.supported === true,
  }));
export type AgentInfo = z.output<typeof initialized>;

const choice = z.looseObject({ value: z.string(), name: z.string() });

export const openedSession = z.looseObject({
  sessionId: z.string().optional(),
  modes: z.looseObject({ availableModes: z.array(z.looseObject({ id: z.string() })).catch([]) }).nullish(),
  models: z
    .looseObject({ availableModels: z.array(z.looseObject({ modelId: z.string(), name: z.string() })).catch([]) })
    .nullish(),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: z.string().nullish(),
        /** Alone or in groups. */
        options: z.array(z.union([choice, z.looseObject({ options: z.array(choice) })])).catch([]),
      }),
    )
    .nullish()
    .catch(undefined),
});
export type OpenedSession = z.output<typeof openedSession>;

const tokens = z.number().int().min(0).nullish();
/** Of one prompt. */
const usage = z
  .looseObject({ inputTokens: tokens, outputTokens: tokens, cachedReadTokens: tokens, cachedWriteTokens: tokens })
  .catch({});
export type PromptUsage = z.output<typeof usage>;

const failure = z.looseObject({ severity: z.string().nullish(), title: z.string() });
export const promptResponse = z
  .looseObject({
    stopReason: z.string(),
    usage: usage.nullish(),
    _meta: z
      .looseObject({
        jetbrains: z.looseObject({ air: z.looseObject({ sessionFailure: failure.nullish() }).nullish() }).nullish(),
      })
      .nullish(),
  })
  .transform(({ stopReason, usage, _meta }) => {
    const { severity, title } = _meta?.jetbrains?.air?.sessionFailure ?? {};
    return { stopReason, usage: usage ?? undefined, failure: severity === 'error' ? title : undefined };
  });

export const steered = z.looseObject({ outcome: z.string() });

/**
 * What the runner can do. Agents have their own tools for files and commands, so it offers none. `sessionFailure`: an extension
 * of two agents; without it they report that the model failed as the end of a good turn. `terminal_output_delta`: one of the
 * same two; without it one of them does not say what commands print.
 */
export const initializeRequest = {
  protocolVersion: 1,
  clientInfo: { name: 'agent-runner', title: 'Engineering Agent Service', version: '1' },
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    elicitation: { form: {} },
    session: { notices: {} },
    _meta: { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } }, terminal_output_delta: true },
  },
};
