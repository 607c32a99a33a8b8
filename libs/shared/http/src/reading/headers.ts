/** Request headers from Node: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;
