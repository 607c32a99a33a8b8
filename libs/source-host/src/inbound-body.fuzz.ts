import { type FuzzTarget, unlessRefused } from '@eas/testing/fuzz';
import { octokitExamples } from '../test/octokit-examples.ts';
import { sampleBody, sampleNames } from '@eas/task-platform/samples';
import { readPlatformEvent } from '@eas/task-platform';
import { readSourceHostEvent, receivedEvent } from './pull-requests/source-host-event.ts';
import { parseInboundJson } from '@eas/receiving';

const names = [
  'pull_request',
  'pull_request_review',
  'check_suite',
  'workflow_run',
  'issues',
  'issue_comment',
  'pull_request_review_comment',
];
const now = new Date('2026-11-20T10:00:00Z');

/** Bodies that are longer are cut by the fuzzer. */
const maxBytes = 8_000;
const ofSourceHost = names
  .flatMap((name) => octokitExamples(name).slice(0, 3))
  .map((example) => Buffer.from(JSON.stringify({ ...example, organization: undefined, sender: undefined })))
  .filter(({ length }) => length < maxBytes);

export const fuzz: FuzzTarget = {
  name: 'inbound bodies',
  corpus: [...sampleNames.map(sampleBody), ...ofSourceHost],
  check(input) {
    const body = unlessRefused(() => parseInboundJson(input).body);
    if (!body) return;
    unlessRefused(() => readPlatformEvent(body));
    for (const name of names) {
      const received = unlessRefused(() => receivedEvent(name, body));
      // What was taken is read later, when no sender can get an error any more.
      if (received) readSourceHostEvent(received.event, body, now);
    }
  },
};
