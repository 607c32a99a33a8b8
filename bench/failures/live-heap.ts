import { setTimeout as sleep } from 'node:timers/promises';

/** Where a Node.js process listens for a debugger after SIGUSR1; so one process at a time. */
const inspector = 'http://127.0.0.1:9229/json/list';
const patienceMs = 10_000;

/** MB that a Node.js process holds when its garbage has just been collected: objects and buffers. */
export async function liveMegabytes(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerOf());
  try {
    await new Promise((done, fail) => {
      socket.addEventListener('open', done);
      socket.addEventListener('error', fail);
    });
    await send(socket, 'HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    const used = await send(socket, 'Runtime.evaluate', { expression });
    void send(socket, 'Runtime.evaluate', { expression: `process.getBuiltinModule('inspector').close()` });
    return Math.round(Number(used.result?.value) / 1_048_576);
  } finally {
    await sleep(200);
    socket.close();
  }
}

async function debuggerOf(): Promise<string> {
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(50)) {
    const response = await fetch(inspector).catch(() => undefined);
    const [target] = response ? ((await response.json()) as { webSocketDebuggerUrl?: string }[]) : [];
    if (target?.webSocketDebuggerUrl) return target.webSocketDebuggerUrl;
  }
  throw new Error('a process does not let a debugger in');
}

type Answer = { result?: { value?: unknown } };
let lastId = 0;

function send(socket: WebSocket, method: string, params: object = {}): Promise<Answer> {
  const id = (lastId += 1);
  socket.send(JSON.stringify({ id, method, params }));
  return new Promise((done) => {
    const receive = ({ data }: MessageEvent) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: Answer };
      if (message.id !== id) return;
      socket.removeEventListener('message', receive);
      done(message.result ?? {});
    };
    socket.addEventListener('message', receive);
  });
}
