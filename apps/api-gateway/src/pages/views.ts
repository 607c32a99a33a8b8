/** A text input with the name of the form's field. */
export type Field = {
  name: string;
  label: string;
  hint?: string;
  type: 'text' | 'email' | 'password';
  autocomplete?: 'username' | 'current-password' | 'new-password' | 'name';
  /** Shown, and sent as it is. */
  isFixed?: boolean;
};

export type FormValues = Readonly<Record<string, string | undefined>>;

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
};

type Link = { path: string; label: string };

type MessageView = { texts: readonly string[]; links: readonly Link[]; requestId?: string };

type ConsentView = {
  client: string;
  person: string;
  /** The permissions, a sentence each. */
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
  message: MessageView;
};
