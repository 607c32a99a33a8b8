import { stringify } from 'csv-stringify/sync';
import type { z } from 'zod';
import type { StreamSource } from '../streams/streams.ts';

type ResponseDef = {
  description: string;
  schema?: z.ZodType;
  /** A whole body for the documentation, where the example of the schema does not fit. */
  example?: unknown;
  /** The body is a page: text that the handler rendered. A definition has a schema, or one of these three, or no body. */
  html?: true;
  /** The body is a table in CSV, with an example of it. */
  csv?: string;
  /** The body is a stream of server-sent events. On GET alone. */
  stream?: true;
  /** Documented response headers: name → meaning. */
  headers?: Record<string, string>;
};
export type ResponseDefs = Record<number, ResponseDef>;

/** Literals of a handler are inferred as readonly. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type ResponseBody<D> = D extends { html: true }
  ? { body: string }
  : D extends { stream: true }
    ? { stream: StreamSource }
    : D extends { csv: string }
      ? { body: CsvBody }
      : D extends { schema: infer S extends z.ZodType }
        ? { body: Frozen<z.input<S>> | FixedBody }
        : { body?: undefined };

type ResponseHead = {
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Version of the row that the response shows; it goes out as the ETag. */
  version?: number;
  /** Undoes the effect of the response: the caller disconnected before it was sent, or would not be admitted now. */
  onUnsent?: () => Promise<void>;
};

/** A body that is already serialised: one that is the same for all callers, or JSON from another source. */
export class FixedBody {
  readonly bytes: Buffer;
  constructor(body: object | string) {
    this.bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  }
  toJSON(): object {
    return JSON.parse(this.bytes.toString()) as object;
  }
}

/**
 * A table as RFC 4180 has it, with a line of names. Texts that spreadsheets would run as a formula begin with an apostrophe.
 */
export class CsvBody {
  readonly text: string;
  constructor(columns: readonly string[], rows: readonly object[]) {
    const options = {
      header: true,
      columns: [...columns],
      escape_formulas: true,
      record_delimiter: 'windows',
    } as const;
    this.text = stringify([...rows], options);
  }
}

export type ResponseOf<R extends ResponseDefs> = {
  [S in keyof R & number]: { status: S } & ResponseHead & ResponseBody<R[S]>;
}[keyof R & number];

/** A response whose types are no longer known. */
export type RouteResponse = ResponseHead & { status: number; body?: unknown; stream?: StreamSource };
