import { type Logger, StartError, tracer } from '@eas/core';
import pino from 'pino';
import { hideSecrets } from './hide-secrets.ts';

export type LoggerOptions = {
  /** The process: every line carries it. */
  name: string;
  level: string;
  /** Warnings and errors go to stderr too, where a supervisor shows them to a person. */
  alertsToStderr?: boolean;
  /** Lines of a traced request or job have its trace_id and span_id. */
  hasTraces?: boolean;
  /** Where lines go; stdout by default. */
  destination?: { write(line: string): void };
};

/** JSON lines through pino, with what looks like a secret blanked out. Errors go under `err`. */
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
    destination ?? outputs(level, alertsToStderr === true),
  );
}

/** A StartError says all in its sentence; its cause and its stack would only repeat it. */
function errorFields(error: Error): unknown {
  return error instanceof StartError ? { type: error.name, message: error.message } : pino.stdSerializers.err(error);
}

function traceFields(): object {
  const span = tracer()?.current();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

function outputs(level: string, hasAlerts: boolean): pino.DestinationStream {
  const lines = bufferedOutput(1);
  if (!hasAlerts) return lines;
  return pino.multistream([
    { level: level as pino.Level, stream: lines },
    { level: 'warn', stream: bufferedOutput(2) },
  ]);
}

/** Lines wait for a slow reader or a full disk in so much memory; further ones are dropped. */
const maxWaitingBytes = 16_000_000;

/** Lines are written without waiting for the pipe's reader; what is left is written when the process exits. */
function bufferedOutput(fd: 1 | 2): pino.DestinationStream {
  const stream = pino.destination({ fd, sync: false, maxLength: maxWaitingBytes });
  let isBroken = false;
  // A reader that is gone or a disk that is full must not end the process.
  stream.on('error', () => (isBroken = true));
  stream.on('write', () => (isBroken = false));
  // Before the library's own attempt, which goes on until the last line is written.
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
