/** Request headers as Node gives them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;
