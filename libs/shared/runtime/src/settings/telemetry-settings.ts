import { z } from 'zod';
import { setting } from './setting.ts';
import { list, share, text, url } from './setting-types.ts';
import { samplerNames } from '../tracing/sampler-names.ts';

const isHeader = (pair: string) => /^[\w-]+=./.test(pair) && !/%(?![0-9a-f]{2})/i.test(pair);

/** Telemetry of the process. */
export const telemetrySettings = {
  commit: setting(
    'BUILD_COMMIT',
    text(1, 64).default('unknown').describe('Commit that the running files were built from, shown by eas_build_info.'),
  ),
  endpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('http:', 'https:')
      .optional()
      .describe(
        'URL of an OpenTelemetry collector (OTLP over HTTP, JSON), without /v1/traces. If unset, tracing is off.',
      ),
    'without_password',
  ),
  headers: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    list()
      .refine((pairs) => pairs.every(isHeader), 'name=value, comma-separated')
      .default([])
      .describe('Headers sent to the collector, as name=value, comma-separated. Percent-encode special characters.'),
    'secret',
  ),
  sampler: setting(
    'OTEL_TRACES_SAMPLER',
    z
      .enum(samplerNames, samplerNames.join(', '))
      .default('parentbased_always_on')
      .describe(
        'Which traces are recorded. parentbased_…: those that the caller’s traceparent says, and of the rest as the name says.',
      ),
  ),
  ratio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share().default(1).describe('Share of traces that the samplers …traceidratio record, from 0 to 1.'),
  ),
};
