// A request to a model and its response, whatever API they came by.

export type Tool = {
  name: string;
  /** JSON schema of its arguments. */
  parameters: { properties?: Record<string, { type?: unknown; items?: unknown }>; required?: readonly string[] };
};

export type Conversation = {
  model: string;
  /** Everything that people and clients wrote, system prompt excluded. */
  prompt: string;
  /** How many texts and tool calls of the model it has so far. */
  steps: number;
  tools: readonly Tool[];
  isStream: boolean;
  /** The id of a command that was still running when its tool returned. */
  running?: number;
  /** JSON schema that the response has to match. */
  schema?: unknown;
};

type ToolCall = { id: string; name: string; arguments: Record<string, unknown> };

/** What the model does next. */
export type Reply = { text: string } | { call: ToolCall };

/** How an API sends a reply: one JSON body, or the frames of an event stream. */
export type Frames = readonly { event?: string; data: unknown }[];

export type Api = {
  /** Undefined for paths of another API. */
  matches(path: string): boolean;
  read(body: never, path: string): Conversation;
  body(reply: Reply, conversation: Conversation): unknown;
  frames(reply: Reply, conversation: Conversation): Frames;
  error(status: number, message: string): unknown;
};

/** Numbers that every reply reports. */
export const usage = { input: 100, output: 10 };
