import { type Logger, StartError, tracer } from '@eas/core';
import pino from 'pino';
import { hideSecrets } from './hide-secrets.ts';

export type LoggerOptions = {
  /** The process, part of every line. */
  name: string;
  level: string;
  /** Also writes warnings and errors to stderr, where a supervisor shows them. */
  alertsToStderr?: boolean;
  /** Lines of a traced request or job have its trace_id and span_id. */
  hasTraces?: boolean;
  /** Destination of the lines; stdout by default. */
  destination?: { write(line: string): void };
};

/** JSON lines through pino, with fields that may be secrets blanked out. Errors go under `err`. */
export function createLogger({ name, level, alertsToStderr, hasTraces, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { name },
      ...(hasTraces && { mixin: traceFields }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => hideSecrets(fields) },
      serializers: { err: errorFields, error: errorFields },
    },
    destination ?? outputs(alertsToStderr === true),
  );
}

/** The same lines and destination at another level. A logger that is not of this file stays as it is. */
export function atLevel(logger: Logger, level: pino.Level): Logger {
  return 'child' in logger ? (logger as pino.Logger).child({}, { level }) : logger;
}

/** The sentence of a StartError is complete; its cause and stack would only repeat it. */
function errorFields(error: Error): unknown {
  return error instanceof StartError ? { type: error.name, message: error.message } : pino.stdSerializers.err(error);
}

function traceFields(): object {
  const span = tracer()?.current();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

function outputs(hasAlerts: boolean): pino.DestinationStream {
  const lines = bufferedOutput(1);
  if (!hasAlerts) return lines;
  return pino.multistream([
    // The logger and its children decide.
    { level: 'trace', stream: lines },
    { level: 'warn', stream: bufferedOutput(2) },
  ]);
}

/** Maximum memory for lines that wait for a slow reader or a full disk; further ones are dropped. */
const maxWaitingBytes = 16_000_000;

/** Lines are written without waiting for the pipe's reader; remaining ones are written when the process exits. */
function bufferedOutput(fd: 1 | 2): pino.DestinationStream {
  const stream = pino.destination({ fd, sync: false, maxLength: maxWaitingBytes });
  let isBroken = false;
  // A closed pipe or a full disk must not end the process.
  stream.on('error', () => (isBroken = true));
  stream.on('write', () => (isBroken = false));
  // Before the library's own attempt, which continues until the last line is written.
  process.prependListener('exit', () => {
    if (isBroken) return stream.destroy();
    try {
      stream.flushSync();
    } catch {
      // The reader has gone.
    }
  });
  return stream;
}
