import type { Publish } from '../deliveries/publish.ts';

/** An API of another product, by its address and a token. */
export type PeerApi = { url: string; token: string };

/** Has these addresses get the events that the POST publishes, each with a text of so many bytes in it. */
export type OpenPeer = (api: PeerApi, receivers: readonly string[], bytes: number) => Promise<Publish>;
