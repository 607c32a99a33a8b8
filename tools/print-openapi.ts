// Writes docs/openapi.json: the contract that a running gateway serves at /v1/openapi.json.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import prettier from 'prettier';

const file = resolve(import.meta.dirname, '../docs/openapi.json');
type Parts = Record<string, unknown>;
const gateway: unknown = await import(resolve(import.meta.dirname, '../apps/api-gateway/src/app.ts'));
const { openApiDocument } = gateway as { openApiDocument: (parts: Parts, serverUrl: string) => object };
// Only the descriptions of the routes are read; nothing is called.
const notCalled: object = new Proxy({}, { get: () => notCalled });
const serverUrl = 'http://127.0.0.1:3000';
const parts = {
  waitingClaims: notCalled,
  rateCeiling: 10_000,
  endpointRules: notCalled,
  endpointTesting: notCalled,
  chatTesting: notCalled,
  eventWaits: notCalled,
  signIn: notCalled,
  cookies: notCalled,
  system: notCalled,
  baseUrl: serverUrl,
};
const document = openApiDocument(parts, serverUrl);
// Long lines and small steps: indentation by two spaces would add a fifth to the size.
const format = { tabWidth: 1, printWidth: 240, filepath: file };
writeFileSync(file, await prettier.format(JSON.stringify(document), format));
