import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { type Channel, connectSupervisor } from './supervisor.ts';

const state = { checking: false, agents: [], runners: [] };
type Sent = { id: number; call: object };

/** A channel whose other side answers with what `answer` makes of a request. */
function channelTo(answer: (sent: Sent) => object[]) {
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send: (message: object) => answer(message as Sent).forEach((one) => channel.emit('message', one)),
  });
  return channel as typeof channel & Channel;
}
const responseTo = ({ id }: Sent, rest: object) => ({ type: 'local_runners', id, ...rest });

it('calls get the results of their own requests among other messages', async () => {
  const channel = channelTo((sent) => [
    { type: 'shutdown?' },
    responseTo({ ...sent, id: 99 }, { result: { state } }),
    responseTo(sent, { result: { state: 'no' } }),
    responseTo(sent, { result: { state, key_id: JSON.stringify(sent.call) } }),
  ]);
  const { call } = connectSupervisor(channel);
  expect(await call({ call: 'list' })).toEqual({ state, key_id: '{"call":"list"}' });
});

it('a refusal is an error of the service', async () => {
  const refusal = { code: 'conflict', constraint: 'limit', message: '8 runners run.' };
  const { call } = connectSupervisor(channelTo((sent) => [responseTo(sent, { refusal })]));
  await expect(call({ call: 'list' })).rejects.toMatchObject({ code: 'conflict', message: '8 runners run.' });
});

it('a supervisor that does not respond or has ended is 503', async () => {
  const silent = channelTo(() => []);
  const { call } = connectSupervisor(silent, { list: 10 });
  const unreachable = { code: 'server_error', status: 503 };
  await expect(call({ call: 'list' })).rejects.toMatchObject(unreachable);
  const cut = call({ call: 'check', preset: 'claude' });
  silent.emit('disconnect');
  await expect(cut).rejects.toMatchObject(unreachable);
  silent.connected = false;
  await expect(call({ call: 'list' })).rejects.toMatchObject(unreachable);
});
