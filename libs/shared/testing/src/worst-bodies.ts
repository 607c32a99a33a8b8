const mebibyte = 1024 * 1024;

/** A body that costs more than its size suggests; created on demand, because each is large. */
export type WorstBody = { name: string; make(): Buffer };

/** JSON values of about `bytes` bytes: many nodes, deep nesting, many keys, long texts, and texts that are not JSON. */
const worstValues: Record<string, (bytes: number) => string> = {
  'one long text': (bytes) => `"${'a'.repeat(bytes)}"`,
  'a text of escapes': (bytes) => `"${'\\u0041'.repeat(bytes / 6)}"`,
  'a text of control characters': (bytes) => `"${'\\u0001'.repeat(bytes / 6)}"`,
  'a text of commas and brackets': (bytes) => `"${',[{'.repeat(bytes / 3)}"`,
  'one long number': (bytes) => '1'.repeat(bytes),
  'many numbers': (bytes) => `[${'0,'.repeat(bytes / 2)}0]`,
  'many short texts': (bytes) => `[${'"a",'.repeat(bytes / 4)}"a"]`,
  'many empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  'many objects, each with a key of its own': (bytes) => `[${numbered(bytes / 16, (n) => `{"k${n}":1}`)}]`,
  'many keys': (bytes) => `{${numbered(bytes / 12, (n) => `"k${n}":1`)}}`,
  'keys that are numbers': (bytes) => `{${numbered(bytes / 16, (n) => `"${(n * 7_919) % 4_294_967_295}":1`)}}`,
  'one key again and again': (bytes) => `{${'"a":1,'.repeat(bytes / 6)}"a":1}`,
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'white space': (bytes) => `${' '.repeat(bytes)}1`,
  'lists that do not end': (bytes) => '['.repeat(bytes),
  'a text that does not end': (bytes) => `"${'\\"'.repeat(bytes / 2)}`,
};

function numbered(count: number, item: (n: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, n) => item(n)).join(',');
}

/** Each of them as `data` of an object that begins with `fields`, and alone: what any parser of bodies may be sent. */
export function worstJsonBodies(fields: object = {}, bytes = 5 * mebibyte): WorstBody[] {
  const head = JSON.stringify({ ...fields, data: 0 }).slice(0, -2);
  const remaining = bytes - head.length - 64;
  const values = Object.entries(worstValues);
  return [
    ...values.map(([name, make]) => ({ name: `data: ${name}`, make: () => Buffer.from(`${head}${make(remaining)}}`) })),
    ...values.map(([name, make]) => ({ name: `alone: ${name}`, make: () => Buffer.from(make(remaining)) })),
    {
      name: 'bytes that are no UTF-8, at the end',
      make: () => Buffer.concat([Buffer.alloc(remaining, 'a'), Buffer.of(255)]),
    },
  ];
}

const json = (value: object) => Buffer.from(JSON.stringify(value));
const list = <T>(count: number, item: (n: number) => T) => Array.from({ length: count }, (_, n) => item(n));

/** The task platform's events at their worst: long histories, many tags, rich text inside text, endless comments. */
export function worstPlatformBodies(taskId = 'worst'): WorstBody[] {
  const updated = (items: object[]) => json({ event: 'taskUpdated', task_id: taskId, history_items: items });
  const ofHistory = (name: string, count: number, item: (n: number) => object): WorstBody => ({
    name: `${count} history items: ${name}`,
    make: () => updated(list(count, item)),
  });
  const tags = (count: number, mark: string) => list(count, (n) => `${mark}${n}`);
  return [
    ...worstJsonBodies({ event: 'taskUpdated', task_id: taskId }),
    ...worstJsonBodies({ event: 'listUpdated', list_id: taskId }),
    ofHistory('empty', 10_000, () => ({})),
    ofHistory('names', 10_000, (n) => ({ id: `${n}`, field: 'name', date: n, after: `name ${n}` })),
    ofHistory('1,000 tags come, 1,000 others go', 20, (n) => ({
      field: 'tags',
      date: n,
      added: tags(1_000, `a${n}.`),
      removed: tags(1_000, `r${n}.`),
    })),
    ofHistory('one tag comes', 500, (n) => ({ field: 'tag', date: n, after: [{ name: `t${n}` }] })),
    ofHistory('sets of tags', 400, (n) => ({ field: 'tags', date: n, after: tags(50, `s${n}.`) })),
    ofHistory('half a million tags', 1, () => ({ field: 'tag', after: tags(500_000, 't') })),
    ofHistory('long texts', 50, (n) => ({ field: 'content', date: n, after: 'x'.repeat(90_000) })),
    ofHistory('a document of many inserts', 1, () => ({
      field: 'content',
      after: `{"ops":[${'{"insert":"a"},'.repeat(250_000)}{"insert":"b"}]}`,
    })),
    ofHistory('a document of many lists', 1, () => ({ field: 'content', after: `{"ops":${'['.repeat(4_000_000)}` })),
    ofHistory('comments', 500, (n) => ({ id: `${n}`, field: 'comment', comment: { text_content: `comment ${n}` } })),
    ofHistory('long comments', 70, (n) => ({ id: `${n}`, field: 'comment', comment: `${n} ${'c'.repeat(65_000)}` })),
    ofHistory('a comment of many parts', 1, () => ({
      field: 'comment',
      comment: list(200_000, () => ({ text: 'a' })),
    })),
    {
      name: '1,000 tags and the longest name',
      make: () =>
        json({
          event: 'taskCreated',
          task_id: taskId,
          data: { name: 'n'.repeat(1_000_000), description: '\u0001'.repeat(600_000), tags: tags(1_000, 't') },
        }),
    },
  ];
}

const numbers = (count: number) => list(count, (n) => ({ number: n + 1 }));
const labels = (count: number) => list(count, (n) => ({ name: `label ${n}` }));
const checked = (over: object) => ({ id: 1, head_sha: 's', conclusion: 'success', ...over });
const issue = (over: object) => ({ number: 1, title: 't', html_url: 'https://worst.example/1', ...over });
const once = list(9_000, () => ({ number: 1 }));

type OfSourceHost = [event: string, name: string, make: () => object];
const worstChecks: OfSourceHost[] = [
  ['check_suite', '9,000 pull requests', () => ({ check_suite: checked({ pull_requests: numbers(9_000) }) })],
  ['check_suite', 'one pull request 9,000 times', () => ({ check_suite: checked({ pull_requests: once }) })],
  ['workflow_run', '9,000 pull requests', () => ({ workflow_run: checked({ pull_requests: numbers(9_000) }) })],
  ['workflow_run', 'the longest name', () => ({ workflow_run: checked({ name: 'n'.repeat(1_000) }) })],
];

const longIssue = () => issue({ title: 't'.repeat(1_000_000), body: 'b'.repeat(1_000_000), labels: labels(50) });
const longComment = () => ({ issue: issue({ labels: labels(50) }), comment: { id: 1, body: 'c'.repeat(1_000_000) } });
const ofTickets = () => ({ ...issue({ body: 'ABC-1 #2 a1b2 '.repeat(60_000) }), head: { ref: 'b' } });
const worstTexts: OfSourceHost[] = [
  ['issues', '1,000 labels', () => ({ action: 'opened', issue: issue({ labels: labels(1_000) }) })],
  ['issues', 'the longest of everything', () => ({ action: 'opened', issue: longIssue() })],
  ['issue_comment', 'the longest comment', () => ({ action: 'created', ...longComment() })],
  [
    'pull_request_review',
    'a description of tickets',
    () => ({ action: 'submitted', pull_request: ofTickets(), review: { id: 1, state: 'approved' } }),
  ],
];

/** Other worst payloads of the source host, each with the name of its event. */
export function worstSourceHostBodies(): (WorstBody & { event: string })[] {
  const common = { action: 'completed', repository: { full_name: 'worst/case', owner: { login: 'worst' } } };
  return [...worstChecks, ...worstTexts].map(([event, name, make]) => ({
    event,
    name: `${event}: ${name}`,
    make: () => json({ ...common, ...make() }),
  }));
}

/** Pull requests of the source host at their worst. */
export function worstPullRequests(): WorstBody[] {
  const owner = { login: 'worst' };
  const pullRequest = (over: object, more: object = {}) =>
    json({
      action: 'opened',
      number: 1,
      repository: { full_name: 'worst/case', owner },
      pull_request: { title: 't', html_url: 'https://worst.example/1', head: { ref: 'b' }, user: owner, ...over },
      ...more,
    });
  const ids = (count: number) => list(count, (n) => `tsk_${String(n).padStart(26, '0')}`).join(' ');
  return [
    ...worstJsonBodies({ action: 'opened', repository: { owner } }),
    { name: 'a title of a million letters', make: () => pullRequest({ title: 't'.repeat(1_000_000) }) },
    { name: 'a description that names 30,000 tasks', make: () => pullRequest({ body: ids(30_000) }) },
    { name: 'a description of half ids', make: () => pullRequest({ body: 'tsk_'.repeat(250_000) }) },
    { name: 'many labels', make: () => pullRequest({ labels: list(150_000, (n) => ({ name: `l${n}` })) }) },
    {
      name: 'the longest of everything',
      make: () => pullRequest({ head: { ref: 'b'.repeat(1_024) } }, { number: 2 ** 40 }),
    },
  ];
}
