import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Per connection: pending responses, and the bytes received when there were none. */
type Connection = { inFlight: Set<ServerResponse>; bytesBefore: number };

export type EndingConnections = {
  /** From now on responses close their connection, including those in flight. */
  askToClose(): void;
  /**
   * Accepts no more connections, ends those without pending responses, and cuts the rest after `graceMs`. Resolves when
   * all responses have closed.
   */
  end(graceMs: number): Promise<void>;
};

/**
 * Ends the connections of a server, each when its last response is completely sent. Node's own `close` treats a
 * connection as idle once its response is written but not yet sent, and cuts it off: a slow client would only get the
 * first part.
 */
export function endingConnections(server: Server): EndingConnections {
  const connections = new Map<Socket, Connection>();
  let isAsked = false;
  let isEnding = false;

  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, { inFlight: new Set(), bytesBefore: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    if (isAsked) response.setHeader('Connection', 'close');
    const connection = connections.get(socket);
    connection?.inFlight.add(response);
    response.once('close', () => {
      if (!connection?.inFlight.delete(response)) return;
      connection.bytesBefore = socket.bytesRead;
      if (isEnding && connection.inFlight.size === 0) socket.destroySoon();
    });
  });

  return {
    askToClose() {
      isAsked = true;
      for (const { inFlight } of connections.values())
        for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    async end(graceMs) {
      isEnding = true;
      const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const [socket, { inFlight, bytesBefore }] of connections)
        if (inFlight.size === 0 && socket.bytesRead === bytesBefore) socket.destroySoon();
      const cut = setTimeout(() => connections.forEach((_, socket) => socket.destroy()), graceMs);
      await ended;
      clearTimeout(cut);
      // The server counts a cut connection as closed before the listeners of its response ran, which end spans and logs.
      await Promise.all(
        [...connections.keys()].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      );
      server.close(); // ends the timer that checks for slow requests
    },
  };
}
