/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

export const environment = (): NodeJS.ProcessEnv => process.env;
