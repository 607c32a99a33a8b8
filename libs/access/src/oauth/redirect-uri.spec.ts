import { describe, expect, it } from '@jest/globals';
import { redirectUriProblem } from './redirect-uri.ts';

const confidential = (uri: string) => redirectUriProblem(uri, false) === undefined;
const open = (uri: string) => redirectUriProblem(uri, true) === undefined;

describe('an address that codes may be sent to', () => {
  it.each(['https://shop.example.com/cb', 'https://shop.example.com:8443/cb?a=b', 'http://127.0.0.1:8080/cb'])(
    '%s is allowed for any client',
    (uri) => expect([confidential(uri), open(uri)]).toEqual([true, true]),
  );

  it.each(['http://localhost/cb', 'http://[::1]:1234/cb'])('%s stays on the machine of the person', (uri) =>
    expect([confidential(uri), open(uri)]).toEqual([true, true]),
  );

  it.each(['com.example.app:/cb', 'com.example.app://cb'])('%s is allowed only for public clients', (uri) =>
    expect([confidential(uri), open(uri)]).toEqual([false, true]),
  );

  it.each([
    'http://shop.example.com/cb',
    'http://127.0.0.1.example.com/cb',
    'https://shop.example.com/cb#part',
    'https://shop.example.com/cb#',
    'https://user:word@shop.example.com/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'app:/cb',
    '/cb',
    '',
    'https://shop.example.com/ cb',
    'https://shöp.example.com/cb',
    'https://*.example.com/cb',
    'https://*/cb',
    'https://shop.example.com;script-src/cb',
    'https://shop.example.com,shop.example.org/cb',
    'https://shop%2eexample.com/cb',
    'https:shop.example.com/cb',
    'https:///shop.example.com/cb',
    'https://shop.example.com\\@shop.example.org/cb',
    'https://shop.example.com/\\shop.example.org',
  ])('"%s" may be of none', (uri) => expect([confidential(uri), open(uri)]).toEqual([false, false]));
});
