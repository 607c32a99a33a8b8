import type { Publish } from '../deliveries/publish.ts';

/** An API of another product, by its address and a token. */
export type PeerApi = { url: string; token: string };

/** Sends the events that the POST publishes to these addresses, each with a text of `bytes` bytes. */
export type OpenPeer = (api: PeerApi, receivers: readonly string[], bytes: number) => Promise<Publish>;
