/** A line to type into. Its name is that of the form's field. */
export type TextField = {
  name: string;
  label: string;
  hint?: string;
  /** `lines`: several, each a value of its own. */
  type: 'text' | 'email' | 'password' | 'date' | 'lines';
  autocomplete?: 'username' | 'current-password' | 'new-password' | 'name';
  isOptional?: boolean;
  /** Shown, and sent as it is. */
  isFixed?: boolean;
};

/** Boxes to tick, or buttons of which one is chosen: value → what it is called. */
export type ChoiceField = {
  name: string;
  label: string;
  hint?: string;
  type: 'checkbox' | 'radio';
  options: Readonly<Record<string, string>>;
};

export type Field = TextField | ChoiceField;

export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export type FormState = {
  values: FormValues;
  /** Field → sentence. */
  errors: Readonly<Record<string, string>>;
  problem?: string;
};

export type FormView = {
  intro: readonly string[];
  action: string;
  hidden?: Readonly<Record<string, string>>;
  fields: readonly Field[];
  form: FormState;
  submit: string;
  isDangerous?: boolean;
  back?: string;
};

export type Link = { path: string; label: string };

export type ListView = {
  intro: readonly string[];
  make?: Link;
  /** One more than a row has cells when rows have links. */
  columns: readonly string[];
  /** `about` says which row a link is for, to those whose screen reader reads it without its row. */
  rows: readonly { cells: readonly string[]; links?: readonly (Link & { about: string })[] }[];
  total: number;
  /** Where the list begins, unless this is it. */
  firstPath: string | undefined;
  nextPath: string | undefined;
};

/** Secrets that are shown this once. */
export type MadeView = {
  done: string;
  secrets: readonly { label: string; secret: string }[];
  advice: string;
  back: string;
};

export type MessageView = { texts: readonly string[]; links: readonly Link[]; requestId?: string };

export type ConsentView = {
  client: string;
  person: string;
  /** What it may do then, a sentence each. */
  meanings: readonly string[];
  /** The scopes behind the sentences, as they come back with the response. */
  scope: string;
  /** Where the browser goes afterwards. */
  site: string;
  action: string;
  csrfToken: string;
};

export type Views = {
  consent: ConsentView;
  form: FormView;
  list: ListView;
  made: MadeView;
  message: MessageView;
};
