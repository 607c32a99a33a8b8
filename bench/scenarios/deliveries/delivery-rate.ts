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
      const measurements = await openMeasurements(sink);
      for (let round = 0; round < bench.options.rounds; round += 1)
        for (const measurement of measurements) await measure(bench, sink, measurement);
      sayMeasurements(measurements);
      for (const measurement of measurements) recordMeasurement(bench.record, measurement);
      // The whole table has no statements.
      if (!bench.options.save) for (const measurement of measurements) await sayStatements(bench, sink, measurement);
    } finally {
      sink.stop();
    }
  },
};

/** A flow to N endpoints, with the results of its rounds. */
type Measurement = {
  name: string;
  flow: Flow;
  endpoints: number;
  measurePeer: (() => Promise<number>) | undefined;
  bare: number[];
  own: FlowResult[];
  peer: number[];
};

async function openMeasurements(sink: Sink): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [endpoints, to] of [[1, '1 endpoint'] as const, [10, '10 endpoints'] as const]) {
    const load = { endpoints, events, bytes, connections: inFlight };
    const measurePeer = peer && (await openPeerDeliveries(peer, sink, load));
    const empty = () => ({ endpoints, bare: [], own: [], peer: [] });
    measurements.push({ name: `backlog, ${to}`, flow: drain, measurePeer: undefined, ...empty() });
    measurements.push({ name: `created by POST, ${to}`, flow: createAndDeliver, measurePeer, ...empty() });
  }
  return measurements;
}

/** The bare loop, ours and the peer one after another, under the same load of the machine. */
async function measure(bench: Bench, sink: Sink, measurement: Measurement): Promise<void> {
  const { flow, endpoints, measurePeer } = measurement;
  const bare: BareLoop = { url: `${sink.url}/bare`, bytes, inFlight, seconds: bareSeconds };
  measurement.bare.push((await runInChild<BareResult>('../deliveries/bare-loop.ts', bare)).perSecond);
  measurement.own.push(await flow(bench, sink, { endpoints, count: events }));
  if (measurePeer) measurement.peer.push(await measurePeer());
}

const ownRate = ({ own }: Measurement): number => median(own.map(({ perSecond }) => perSecond));

function recordMeasurement(record: Recorder, measurement: Measurement): void {
  const { name, bare } = measurement;
  const rate = ownRate(measurement);
  record({ name, rate, against: { name: 'POSTs of the bare HTTP client', rate: median(bare) } });
  if (!peer || measurement.peer.length === 0) return;
  const peerRate = median(measurement.peer);
  say(`  ${name}: ours is ${(rate / peerRate).toFixed(2)} of ${peer.name}`);
  record({ name, rate, against: { name: peer.name, rate: peerRate } });
}

function sayMeasurements(measurements: readonly Measurement[]): void {
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
    ...measurements.map((measurement) => [
      measurement.name,
      Math.round(ownRate(measurement)),
      Math.round(median(measurement.bare)),
      ...(peer ? [measurement.peer.length > 0 ? Math.round(median(measurement.peer)) : ''] : []),
      ...processes.map((process) => median(measurement.own.map(({ usedMs }) => usedMs[process] ?? 0)).toFixed(2)),
      median(measurement.own.map(all)).toFixed(2),
    ]),
  ]);
  say('  processor time in ms a delivery, of all processes but clients and receiver');
}

const shortName = (process: string): string => process.split('-').at(-1) ?? '';

/** Statements of the dispatcher, in a shorter run of their own: counting them on their way takes time. */
async function sayStatements(bench: Bench, sink: Sink, { name, flow, endpoints }: Measurement): Promise<void> {
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
