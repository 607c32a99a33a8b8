import { z } from 'zod';
import { exampleId } from '../fields.ts';
import { address, defineEvents, eventData, id, text } from './event.ts';

export const integrationEvents = defineEvents({
  'inbound.received': { visibility: 'internal', data: z.object({ inbound_event_id: z.string() }), facts: null },
  'pr.opened': {
    visibility: 'public',
    data: eventData(
      'A pull request was opened in a connected repository.',
      {
        repository: text('The repository, with its owner.'),
        number: z.int().min(1).max(2_147_483_647).describe('Number of the pull request.'),
        title: text('Title of the pull request.'),
        url: address('Where the pull request is.'),
        author: text('Who opened it, as the source host names them.'),
        branch: text('The branch to merge.'),
        task_id: id('The task that the pull request names. null: none.').nullable(),
      },
      {
        repository: 'acme/web',
        number: 42,
        title: 'Limit failed logins',
        url: 'https://git.example.com/acme/web/pull/42',
        author: 'ada',
        branch: 'fix/login',
        task_id: exampleId('tsk'),
      },
    ),
    facts: null,
  },
});
