import type { BareLoop, BareResult } from '../../deliveries/bare-loop.ts';
import { countStatements } from '../../deliveries/count-statements.ts';
import { bytes, createAndDeliver, drain, type Flow, type FlowResult, inFlight } from '../../deliveries/flows.ts';
import { type Sink, startSink } from '../../deliveries/start-sink.ts';
import type { Bench, Recorder, Scenario } from '../../harness/bench.ts';
import { runInChild } from '../../harness/child-task.ts';
import { median, say, table } from '../../harness/report.ts';
import { openPeerDeliveries } from '../../peers/peer-deliveries.ts';
import { readWebhookPeer } from '../../peers/webhook-peer.ts';

const events = Number(process.env['BENCH_EVENTS'] ?? 20_000);
/** Short, as it is measured before each round of each flow. */
const bareSeconds = 3;
const peer = readWebhookPeer(process.env['BENCH_PEER']);
const processes = [
  'webhook-dispatcher',
  'postgres',
  'api-gateway',
  'workflow-orchestrator',
  'analytics-aggregator',
  'redis',
];

export const scenario: Scenario = {
  name: 'delivery-rate',
  about: `${events} events of ${bytes} bytes delivered: from a backlog, and created by POST with ${inFlight} in flight`,
  async run(bench) {
    const sink = await startSink();
    try {
      const lanes = await openLanes(sink);
      for (let round = 0; round < bench.options.rounds; round += 1)
        for (const lane of lanes) await measure(bench, sink, lane);
      sayLanes(lanes);
      for (const lane of lanes) recordLane(bench.record, lane);
      // The whole table has no statements.
      if (!bench.options.save) for (const lane of lanes) await sayStatements(bench, sink, lane);
    } finally {
      sink.stop();
    }
  },
};

/** A flow to so many endpoints, and what its rounds have given. */
type Lane = {
  name: string;
  flow: Flow;
  endpoints: number;
  measurePeer: (() => Promise<number>) | undefined;
  bare: number[];
  own: FlowResult[];
  peer: number[];
};

async function openLanes(sink: Sink): Promise<Lane[]> {
  const lanes: Lane[] = [];
  for (const [endpoints, to] of [[1, '1 endpoint'] as const, [10, '10 endpoints'] as const]) {
    const load = { endpoints, events, bytes, connections: inFlight };
    const measurePeer = peer && (await openPeerDeliveries(peer, sink, load));
    const empty = () => ({ endpoints, bare: [], own: [], peer: [] });
    lanes.push({ name: `backlog, ${to}`, flow: drain, measurePeer: undefined, ...empty() });
    lanes.push({ name: `created by POST, ${to}`, flow: createAndDeliver, measurePeer, ...empty() });
  }
  return lanes;
}

/** The bare loop, ours and the peer one after another, so that they see the same load of the machine. */
async function measure(bench: Bench, sink: Sink, lane: Lane): Promise<void> {
  const { flow, endpoints, measurePeer } = lane;
  const bare: BareLoop = { url: `${sink.url}/bare`, bytes, inFlight, seconds: bareSeconds };
  lane.bare.push((await runInChild<BareResult>('../deliveries/bare-loop.ts', bare)).perSecond);
  lane.own.push(await flow(bench, sink, { endpoints, count: events }));
  if (measurePeer) lane.peer.push(await measurePeer());
}

const ownRate = ({ own }: Lane): number => median(own.map(({ perSecond }) => perSecond));

function recordLane(record: Recorder, lane: Lane): void {
  const { name, bare } = lane;
  const rate = ownRate(lane);
  record({ name, rate, against: { name: 'POSTs of the bare HTTP client', rate: median(bare) } });
  if (!peer || lane.peer.length === 0) return;
  const peerRate = median(lane.peer);
  say(`  ${name}: ours is ${(rate / peerRate).toFixed(2)} of ${peer.name}`);
  record({ name, rate, against: { name: peer.name, rate: peerRate } });
}

function sayLanes(lanes: readonly Lane[]): void {
  const all = ({ usedMs }: FlowResult) => Object.values(usedMs).reduce((sum, ms) => sum + ms, 0);
  table([
    [
      'median of rounds',
      'deliveries/s',
      'bare loop/s',
      ...(peer ? [peer.name] : []),
      ...processes.map(shortName),
      'all',
    ],
    ...lanes.map((lane) => [
      lane.name,
      Math.round(ownRate(lane)),
      Math.round(median(lane.bare)),
      ...(peer ? [lane.peer.length > 0 ? Math.round(median(lane.peer)) : ''] : []),
      ...processes.map((process) => median(lane.own.map(({ usedMs }) => usedMs[process] ?? 0)).toFixed(2)),
      median(lane.own.map(all)).toFixed(2),
    ]),
  ]);
  say('  processor time in ms a delivery, of all processes but clients and receiver');
}

const shortName = (process: string): string => process.split('-').at(-1) ?? '';

/** Statements of the dispatcher, in a shorter run of their own: counting them on their way takes time. */
async function sayStatements(bench: Bench, sink: Sink, { name, flow, endpoints }: Lane): Promise<void> {
  const count = Math.ceil(events / 4);
  const counter = await countStatements(bench.stores.databaseUrl);
  let counts: [string, number][] = [];
  const settings = { DATABASE_URL: counter.url };
  const after = () => void (counts = [...counter.counts].sort(([, a], [, b]) => b - a));
  await flow(bench, sink, { endpoints, count, settings, before: counter.reset, after });
  counter.close();
  const per10 = (number: number) => ((number * 10) / count).toFixed(2);
  say(
    `  ${name}: ${per10(counts.reduce((sum, [, number]) => sum + number, 0))} statements of the dispatcher for 10 deliveries`,
  );
  for (const [text, number] of counts.slice(0, 12))
    say(`    ${per10(number)} ${text.replace(/\s+/g, ' ').trim().slice(0, 90)}`);
}
