import { type Logger, setTracer } from '@eas/core';
import pTimeout from 'p-timeout';
import { serviceVersion } from './metrics/release.ts';
import type { Settings } from './settings/setting.ts';
import type { Shutdown } from './shutdown.ts';
import type { telemetrySettings } from './settings/telemetry-settings.ts';

type Telemetry = Settings<typeof telemetrySettings>;
type Process = { name: string; logger: Logger; onShutdown: Shutdown['onShutdown'] };

const lastExportMs = 2_000;
const reportEveryMs = 60_000;

/** Turns tracing on until the process shuts down. Without an endpoint nothing is loaded. */
export async function startTracing(telemetry: Telemetry | undefined, parts: Process): Promise<void> {
  if (!telemetry?.endpoint) return;
  const { endpoint, headers, sampler, ratio } = telemetry;
  const { name, logger, onShutdown } = parts;
  const { openTracer } = await import('./tracing/otel-tracer.ts');
  const tracer = openTracer({
    name,
    version: serviceVersion,
    endpoint,
    headers: readHeaders(headers),
    sampler,
    ratio,
    onLost: reportLost(logger),
  });
  setTracer(tracer);
  // A collector that hangs must not keep the process alive.
  const giveUp = () => logger.warn({ waitedMs: lastExportMs }, 'last spans not sent in time');
  onShutdown('tracing', () => pTimeout(tracer.shutdown(), { milliseconds: lastExportMs, fallback: giveUp }));
  logger.info({ sampler, ratio }, 'tracing started');
}

function readHeaders(pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function reportLost(logger: Logger): (spans: number, error: unknown) => void {
  let lost = 0;
  let reportedAt = -Infinity;
  return (spans, error) => {
    lost += spans;
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    logger.warn({ err: error, spans: lost }, 'spans not taken by the collector');
    lost = 0;
  };
}
