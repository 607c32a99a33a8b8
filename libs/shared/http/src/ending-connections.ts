import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Of a connection: responses that it still owes, and the bytes that had come when it owed none. */
type Connection = { inFlight: Set<ServerResponse>; bytesBefore: number };

export type EndingConnections = {
  /** From now on responses say that their connection ends with them, also those in flight. */
  askToClose(): void;
  /** Takes no more connections, ends each that owes nothing, and cuts what is left after `graceMs`. */
  end(graceMs: number): Promise<void>;
};

/**
 * Ends the connections of a server, each when its last response is on its way whole. Node's own `close` takes one whose
 * response is written but not yet sent for idle, and cuts it off: a slow client would get the first part alone.
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
      server.close(); // ends the timer that looks for slow requests
    },
  };
}
