import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

/** Header values by name, in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** What an API response carries. It is never a page: it loads nothing and stands in no frame. */
export const apiHeaders = (): ResponseHeaders =>
  headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });

/** What a page carries: styles and images of this service alone, no script, forms that come back here. */
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

/** Worked out once: helmet's middlewares give the same headers every time. */
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
