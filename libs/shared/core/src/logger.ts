/** What features and platform libs need of a logger; runtime implements it with pino. */
type LogMethod = (fields: Record<string, unknown>, message: string) => void;

/** error: someone must act; warn: odd, healed by itself; info: a domain fact; debug: detail. */
export type Logger = { error: LogMethod; warn: LogMethod; info: LogMethod; debug: LogMethod };
