import { openConvoy } from './convoy.ts';
import { openOutpost } from './outpost.ts';
import type { Publish } from '../deliveries/publish.ts';
import type { OpenPeer } from './peer-api.ts';
import { openSvix } from './svix.ts';

export type WebhookPeer = { name: string; open(receivers: readonly string[], bytes: number): Promise<Publish> };

const peers: Record<string, OpenPeer> = { svix: openSvix, outpost: openOutpost, convoy: openConvoy };

/** BENCH_PEER=<name>:<url>:<token>; undefined when it is not set. Throws when it is not of that form. */
export function readWebhookPeer(text: string | undefined): WebhookPeer | undefined {
  if (!text) return undefined;
  const [, name = '', url = '', token = ''] = /^(\w+):(https?:\/\/.+):([^:/]+)$/.exec(text) ?? [];
  const open = peers[name];
  if (!open) throw new Error(`BENCH_PEER must be ${Object.keys(peers).join('|')}:<url>:<token>`);
  return { name, open: (receivers, bytes) => open({ url: url.replace(/\/$/, ''), token }, receivers, bytes) };
}
