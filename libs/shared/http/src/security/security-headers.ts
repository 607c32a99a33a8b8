import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

/** Header values by name, in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** Headers of an API response. It is never a page: it loads nothing and cannot be framed. */
export const apiHeaders = (): ResponseHeaders =>
  headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });

/** Headers of a page: only styles and images of this service, no script, forms only to this service. */
export const pageHeaders = (): ResponseHeaders => ({
  ...headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Under helmet's no-referrer a browser sends "Origin: null" with our own forms.
    referrerPolicy: { policy: 'same-origin' },
  }),
  'cache-control': 'no-store',
});

/** Computed once: helmet's middlewares return the same headers every time. */
function headersOf(options: HelmetOptions): ResponseHeaders {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw new Error('helmet gave no headers', { cause: error });
  });
  return headers;
}
