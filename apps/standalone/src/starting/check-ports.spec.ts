import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { checkPorts } from './check-ports.ts';

const host = '127.0.0.1';

describe('checkPorts', () => {
  it('names the port that is in use and how to choose another', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, host, () => resolve((server.address() as { port: number }).port));
    });
    try {
      await expect(checkPorts([{ host, port, purpose: 'PORT' }], 100)).rejects.toThrow(
        `No free port: ${port} (PORT) is in use. Stop the other program, or choose another port, as in PORT=4000 npm start.`,
      );
    } finally {
      server.close();
    }
    await checkPorts([{ host, port, purpose: 'PORT' }]);
  });

  it('refuses two uses of one port', async () => {
    const ports = [
      { host, port: 4001, purpose: 'RECEIVER_PORT' },
      { host, port: 4001, purpose: 'health of api-gateway' },
    ];
    await expect(checkPorts(ports)).rejects.toThrow('Port 4001 is used twice');
  });
});
