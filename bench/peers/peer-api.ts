/** A POST that publishes an event, sent as it is, again and again. */
export type Publish = { url: string; headers: Record<string, string>; body: string };

/** An API of another product, by its address and a token. */
export type PeerApi = { url: string; token: string };

/** Has these addresses get the events that the POST publishes, each with a text of so many bytes in it. */
export type OpenPeer = (api: PeerApi, receivers: readonly string[], bytes: number) => Promise<Publish>;
