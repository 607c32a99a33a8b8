import type { Dispatcher } from 'undici';
import type { Carried, Connection } from './connection.ts';
import { type FailureReason, failureReason, type Phase, timeoutOf } from './failure.ts';
import { type EgressPhases, type Moments, phasesOf } from './phases.ts';

export type ResponseHeaders = Record<string, string | string[] | undefined>;

export type ExchangeRequest = {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal;
};

export type ExchangeLimits = {
  /** Moment of performance.now(). */
  endsAt: number;
  timeoutMs: Record<Phase, number>;
  maxResponseBytes: number;
};

export type Exchange = { phases: EgressPhases } & (
  | { kind: 'response'; status: number; headers: ResponseHeaders; body: Buffer; isBodyCut: boolean }
  /** Stale: a kept-alive connection was closed before any byte of a response. */
  | { kind: 'failure'; reason: FailureReason; isStale: boolean }
);

/** 100 and 101 are protocol errors here; 102 and 103 may occur a few times. */
const maxInterimResponses = 8;
/** Ends what no other limit covers, such as an endless status line or chunk extension. */
const maxReceivedBytes = 1_048_576;

type State = Moments & {
  phase: Phase;
  connection?: Connection;
  controller?: Dispatcher.DispatchController;
  /** The connection had carried an exchange before this one. */
  isReused: boolean;
  interimResponses: number;
  stopCounting?: () => void;
  status: number;
  headers: ResponseHeaders;
  chunks: Buffer[];
  length: number;
  isSettled: boolean;
};

/** Starts a phase, or ends the exchange; only the first end counts. */
type Steps = {
  enter(phase: Phase, maxMs: number): void;
  respond(): void;
  fail(reason: FailureReason): void;
};

/** One request on one connection. Settles within its limits whatever the receiver does, and leaves no socket open. */
export function runExchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const state = newState();
    let timer: NodeJS.Timeout | undefined;
    const settle = (exchange: Exchange, isConnectionOver: boolean) => {
      if (state.isSettled) return;
      state.isSettled = true;
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
      state.stopCounting?.();
      if (isConnectionOver) dropConnection(state);
      resolve(exchange);
    };
    const steps: Steps = {
      enter(phase, maxMs) {
        state.phase = phase;
        clearTimeout(timer);
        const leftMs = limits.endsAt - performance.now();
        if (!state.isSettled) timer = setTimeout(() => steps.fail(timeoutOf[phase]), Math.min(maxMs, leftMs));
      },
      respond: () => settle(responded(state, limits.maxResponseBytes), state.length > limits.maxResponseBytes),
      fail: (reason) => settle(failed(state, reason), true),
    };
    const onAbort = () => steps.fail('aborted');
    request.signal?.addEventListener('abort', onAbort, { once: true });
    // Until it has a connection it waits for other requests to this origin, and only the deadline applies.
    steps.enter('connect', Infinity);
    dispatcher.dispatch(carriedOf(request, state, steps, limits), handlerOf(state, steps, limits));
  });
}

function newState(): State {
  return {
    phase: 'connect',
    isReused: false,
    interimResponses: 0,
    status: 0,
    headers: {},
    chunks: [],
    length: 0,
    isSettled: false,
  };
}

function carriedOf(
  { url, method, headers, body }: ExchangeRequest,
  state: State,
  { enter }: Steps,
  { timeoutMs }: ExchangeLimits,
): Carried {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    takeConnection(connection) {
      if (state.isSettled) return false;
      state.connection = connection;
      enter('connect', timeoutMs.connect);
      return true;
    },
  };
}

function handlerOf(
  state: State,
  { enter, respond, fail }: Steps,
  { timeoutMs, maxResponseBytes }: ExchangeLimits,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      if (state.isSettled) return controller.abort(givenUp());
      startSending(state, controller);
      countReceived(state, fail);
      enter('headers', timeoutMs.headers);
    },
    onResponseStarted: () => void (state.firstByteAt ??= performance.now()),
    onResponseStart(_controller, status, headers) {
      state.status = status;
      state.headers = headers;
      if (status >= 200) return enter('body', timeoutMs.body);
      state.interimResponses += 1;
      if (state.interimResponses > maxInterimResponses) fail('protocol');
    },
    onResponseData(_controller, chunk) {
      if (state.isSettled) return;
      state.chunks.push(chunk);
      state.length += chunk.length;
      if (state.length > maxResponseBytes) respond();
    },
    onResponseEnd: respond,
    onResponseError: (_controller, error) => fail(failureReason(error, state.phase)),
  };
}

function startSending(state: State, controller: Dispatcher.DispatchController): void {
  state.controller = controller;
  state.sentAt = performance.now();
  if (!state.connection) return;
  state.isReused = state.connection.isUsed;
  state.connection.isUsed = true;
}

function countReceived(state: State, fail: Steps['fail']): void {
  const socket = state.connection?.socket;
  if (!socket) return;
  const before = socket.bytesRead;
  const count = () => {
    if (socket.bytesRead - before > maxReceivedBytes) fail('protocol');
  };
  socket.on('readable', count);
  state.stopCounting = () => socket.off('readable', count);
}

function dropConnection({ controller, connection }: State): void {
  if (controller) controller.abort(givenUp());
  else connection?.socket?.destroy(givenUp());
}

/** It has a code of its own: the pool would reconnect for a request whose socket just closed. */
function givenUp(): Error {
  return Object.assign(new Error('the exchange is over'), { code: 'EXCHANGE_OVER' });
}

function responded(state: State, maxBytes: number): Exchange {
  state.endedAt = performance.now();
  const { status, headers, chunks, length } = state;
  const body = Buffer.concat(chunks, Math.min(length, maxBytes));
  return { kind: 'response', status, headers, body, isBodyCut: length > maxBytes, phases: phasesIn(state) };
}

function failed(state: State, reason: FailureReason): Exchange {
  if (state.phase === 'body') state.endedAt = performance.now();
  const isStale = reason === 'reset' && isOnUsedSocket(state) && state.firstByteAt === undefined;
  return { kind: 'failure', reason, isStale, phases: phasesIn(state) };
}

function phasesIn(state: State): EgressPhases {
  return phasesOf(isOnUsedSocket(state) ? undefined : state.connection, state);
}

function isOnUsedSocket({ sentAt, isReused, connection }: State): boolean {
  return sentAt === undefined ? connection?.isUsed === true : isReused;
}
