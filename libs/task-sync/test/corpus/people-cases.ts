import { agent, body, type CorpusCase, created, item, pair, sam } from './bodies.ts';

const qa = { id: 9, username: 'Quentin', email: 'QA@company.com' };
const rita = { id: 10, username: 'Rita' };
const stranger = { id: 11, username: 'Stranger' };
const add = (date: number, after: object) => pair('taskAssigneeUpdated', item('assignee_add', date, { after }));
/** There is no `after`. */
const remove = (date: number, before: object) => pair('taskAssigneeUpdated', item('assignee_rem', date, { before }));

const parts = (text: string) => [
  { text, attributes: {} },
  { text: '\n', attributes: { 'block-id': 'block-4c8f' } },
];
const comment = (id: string, text: string) => ({
  id,
  date: '20',
  parent: 'x1',
  type: 1,
  comment: parts(text),
  text_content: `${text}\n`,
  user: { id: 183, username: 'John' },
  reactions: [],
});
const said = (id: string, date: number, text: string) =>
  item('comment', date, { id: `c-${id}`, before: null, after: id, comment: comment(id, text) });

export const peopleCases: CorpusCase[] = [
  {
    title: 'a user that stands for an agent pins it, another one sets the role',
    bodies: [created(), ...add(20, sam), ...add(21, qa)],
    end: {
      agent,
      role: 'qa',
      platform: {
        assignees: [
          { id: '184', name: 'Sam' },
          { id: '9', name: 'Quentin' },
        ],
      },
    },
  },
  {
    title: 'removing users takes back what they set',
    bodies: [created(), ...add(20, sam), ...add(21, rita), ...remove(22, sam), ...remove(23, rita)],
    end: { agent: null, role: null },
  },
  {
    title: 'a user without an account here is shown, and sets nothing',
    bodies: [created(), ...add(20, stranger)],
    end: { agent: null, role: null, platform: { assignees: [{ id: '11', name: 'Stranger' }] } },
  },
  {
    title: 'assignees added and removed in one entry, as ids, names and objects',
    bodies: [
      created(),
      body('taskAssigneeUpdated', { field: 'assignees', date: 20, added: [184, 'Rita'], removed: [] }),
      body('taskAssigneeUpdated', { field: 'assignees', date: 21, added: [{ id: '11' }], removed: ['184'] }),
    ],
    end: { agent: null, role: 'rd' },
  },
  {
    title: 'the whole set of assignees at once',
    bodies: [
      created(),
      ...add(20, rita),
      body('taskUpdated', { field: 'assignees', date: 21, before: [rita], after: [sam, stranger] }),
    ],
    end: { agent, role: null },
  },
  {
    title: 'a comment in several events is one, and its edit changes it',
    bodies: [
      created(),
      body('taskCommentPosted', said('648', 20, 'first')),
      body('taskUpdated', said('648', 20, 'first')),
      body('taskCommentUpdated', said('648', 20, 'first, edited')),
      body('taskUpdated', said('648', 20, 'first, edited')),
    ],
    end: { comments: ['first, edited'] },
  },
  {
    title: 'comments as a list of parts, as a text, and under after',
    bodies: [
      created(),
      body('taskCommentPosted', item('comment', 20, { after: '1', comment: parts('parts') })),
      body('taskCommentPosted', item('comment', 21, { after: '2', comment: 'text' })),
      body('taskCommentPosted', { field: 'comment', date: 22, after: 'under after' }),
      body('taskCommentPosted', item('comment', 23, { comment: { id: '4', comment: parts('no text_content') } })),
    ],
    end: { comments: ['no text_content', 'parts', 'text', 'under after'] },
  },
  {
    title: 'a deleted comment is withdrawn, in every shape of a deletion',
    bodies: [
      created(),
      body('taskCommentPosted', said('1', 20, 'gone by a mark')),
      body('taskCommentPosted', said('2', 21, 'gone by its field')),
      body('taskCommentPosted', said('3', 22, 'gone by null')),
      body('taskCommentPosted', said('4', 23, 'stays')),
      body('taskUpdated', item('comment', 30, { comment: { id: '1', deleted: true } })),
      body('taskUpdated', item('comment_deleted', 31, { before: '2', after: null })),
      body('taskUpdated', item('comment', 32, { before: '3', after: null, comment: null })),
    ],
    end: { comments: ['stays'] },
  },
];
