import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@eas/testing';
import { createNameResolver } from './name-resolver.ts';

const server = createSocket('udp4');
const servers = new Resolver({ timeout: 60_000, tries: 1 });
/** Names that the system was asked to resolve. */
const asked: string[] = [];
const queries: string[] = [];
const resolveName = createNameResolver(servers, async (hostname) => {
  asked.push(hostname);
  return [{ address: '127.0.0.9', family: 4 }];
});
const resolve = (hostname: string) =>
  new Promise<LookupAddress[]>((done, fail) =>
    resolveName(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
  );

/** Knows the address of known.test, does not respond for names of slow.test, and denies all others. */
server.on('message', (query, { port, address }) => {
  const { name, end, isIpv4 } = questionOf(query);
  queries.push(name);
  if (name.endsWith('slow.test')) return;
  const isKnown = name === 'known.test';
  const hasAnswer = isKnown && isIpv4;
  const response = Buffer.concat([query.subarray(0, end), hasAnswer ? answer : Buffer.alloc(0)]);
  response.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  response.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  // No further sections.
  response.writeUInt32BE(0, 8);
  server.send(response, port, address);
});

/** The name of the question, A, IN, no time to live, 127.0.0.1. */
const answer = Buffer.from('c00c0001000100000000' + '0004' + '7f000001', 'hex');

function questionOf(query: Buffer): { name: string; end: number; isIpv4: boolean } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, isIpv4: query.readUInt16BE(at + 1) === 1 };
}

beforeAll(async () => {
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  servers.setServers([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => new Promise<void>((done) => server.close(done)));

describe('resolver of names', () => {
  it('is not held up by names without a response', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `${index}.slow.test`);
    const slow = Promise.allSettled(names.map(resolve));
    await eventually(() => names.every((name) => queries.includes(name)));
    expect(await resolve('known.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    servers.cancel();
    expect((await slow).map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
    expect(asked).toEqual([]);
  });

  it('asks the system for what the name servers do not know, and for names without a dot', async () => {
    expect(await resolve('from-hosts-file.test')).toEqual([{ address: '127.0.0.9', family: 4 }]);
    expect(await resolve('localhost')).toEqual([{ address: '127.0.0.9', family: 4 }]);
    expect(asked).toEqual(['from-hosts-file.test', 'localhost']);
    expect(queries).not.toContain('localhost');
  });

  it('joins concurrent queries for a name, and sends a new one afterwards', async () => {
    const before = queries.length;
    await Promise.all([resolve('known.test'), resolve('known.test'), resolve('known.test')]);
    expect(queries.slice(before)).toHaveLength(2);
    await resolve('known.test');
    expect(queries.slice(before)).toHaveLength(4);
  });
});
