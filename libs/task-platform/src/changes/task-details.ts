/** What the platform says of a task that our task has no field for; kept with the link and shown with the task. */
export type TaskDetails = {
  /** Type of each status word, as far as it was given. */
  status_types?: { word: string; type: string }[];
  /** Ids of what the task belongs to. */
  list?: string;
  folder?: string;
  space?: string;
  goal?: string;
  key_result?: string;
  start_date?: string;
  /** Hours. */
  time_estimate?: string;
  time_spent?: string;
  custom_fields?: { id: string; name: string; value: string }[];
  /** Oldest first; `target` is the agent or role that the integration maps the user to. */
  assignees?: { id: string; name: string; target?: string }[];
  /** Agents and roles that the integration maps its labels to. */
  label_targets?: string[];
  /** What the assignees and labels made of our task. */
  set_agent?: string;
  set_role?: string;
  /** What its list, folder or space made of our task. */
  set_project?: string;
};

/** What a link remembers of the reported changes so far. */
export type LinkMemory = {
  /** The status word. */
  platformStatus: string | null;
  /**
   * Field → date in Unix milliseconds of the change last applied to it. "tag:name", "assignee:id": one of them came, or
   * went when negative. `deleted`: the platform deleted the task; `alive`: the newest date that the platform gave to
   * other changes of it.
   */
  fieldDates: Record<string, number>;
  details: TaskDetails;
};

type ScalarDetail = 'list' | 'folder' | 'space' | 'goal' | 'key_result' | 'start_date' | 'time_estimate' | 'time_spent';

/** One of them as an event reports it; null: it was cleared. `shown` names values that are ids. */
export type DetailChange = {
  name: ScalarDetail | 'custom_field';
  value: string | null;
  /** Of a custom field. */
  custom?: { id: string; name: string };
  shown?: { from: string | null; to: string | null };
  /** Only kept: no entry in the timeline says so. */
  isQuiet?: boolean;
};

/** What happened on the platform, for the timeline. */
export type PlatformEntry = { field: string; title?: string; from?: string; to?: string };

const maxStatusTypes = 50;
const maxCustomFields = 50;

export function rememberStatusType(details: TaskDetails, word: string, type: string): void {
  const others = (details.status_types ?? []).filter((known) => known.word !== word);
  details.status_types = [...others, { word, type }].slice(-maxStatusTypes);
}

export const statusTypeOf = ({ status_types: types = [] }: TaskDetails, word: string): string | null =>
  types.find((known) => known.word === word)?.type ?? null;

/** Sets a detail. Gives the entry that says so; undefined where nothing differs or nothing is to be said. */
export function setDetail(details: TaskDetails, change: DetailChange): PlatformEntry | undefined {
  const { name, value, custom, shown, isQuiet } = change;
  const before = name === 'custom_field' ? setCustomField(details, change) : setScalar(details, name, value);
  if (before === (value ?? undefined) || isQuiet) return undefined;
  const from = shown?.from ?? before;
  const to = shown?.to ?? value;
  return {
    field: name,
    ...(custom ? { title: custom.name } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

function setScalar(details: TaskDetails, name: ScalarDetail, value: string | null): string | undefined {
  const before = details[name];
  if (value === null) delete details[name];
  else details[name] = value;
  return before;
}

function setCustomField(details: TaskDetails, { value, custom }: DetailChange): string | undefined {
  if (!custom) return undefined;
  const fields = details.custom_fields ?? [];
  const others = fields.filter(({ id }) => id !== custom.id);
  const all = value === null ? others : [...others, { ...custom, value }];
  details.custom_fields = all.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, maxCustomFields);
  return fields.find(({ id }) => id === custom.id)?.value;
}
