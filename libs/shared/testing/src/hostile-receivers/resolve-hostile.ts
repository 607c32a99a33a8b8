import type { LookupAddress } from 'node:dns';
import type { ResolveName } from '@eas/egress';

const here: LookupAddress = { address: '127.0.0.1', family: 4 };
const metadataService: LookupAddress = { address: '169.254.169.254', family: 4 };

/** A resolver that behaves like a hostile name server. Each call returns one with its own state. */
export function hostileResolver(): ResolveName {
  let lookUps = 0;
  return (hostname, _options, done) => {
    if (hostname === 'hanging.test') return;
    setImmediate(() => {
      if (hostname === 'private.test') return done(null, [metadataService]);
      if (hostname === 'mixed.test') return done(null, [metadataService, here]);
      if (hostname === 'flipping.test') return done(null, [lookUps++ % 2 === 0 ? here : metadataService]);
      done(Object.assign(new Error(`no such name: ${hostname}`), { code: 'ENOTFOUND' }), []);
    });
  };
}
