import { createHmac } from 'node:crypto';
import type { FuzzTarget } from '@eas/testing/fuzz';
import { verifyWebhook } from './verify-webhook.ts';

const secret = 'the secret of the receiver';
const body = JSON.stringify({
  event_type: 'task.created',
  event_id: 'evt_1',
  timestamp: '2026-11-20T10:00:00Z',
  data: {},
});
const at = new Date('2026-11-20T10:00:00Z');
const timestamp = String(at.getTime() / 1_000);
const signature = createHmac('sha256', secret).update(`evt_1.${timestamp}.${body}`).digest('base64');
const good = ['evt_1', timestamp, `v1,${signature}`].join('\n');

export const fuzz: FuzzTarget = {
  name: 'signatures of deliveries',
  corpus: [good, ['evt_1', timestamp, `v1,abc v1,${signature}`].join('\n')],
  async check(input) {
    const [id = '', time = '', signatures = ''] = input.toString('latin1').split('\n');
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures };
    const { ok } = await verifyWebhook({ headers, body }, { secret, now: () => at });
    const isGood = id === 'evt_1' && time === timestamp && signatures.split(' ').includes(`v1,${signature}`);
    if (ok !== isGood) throw new Error(ok ? 'accepted without its signature' : 'refused with its signature');
  },
};
