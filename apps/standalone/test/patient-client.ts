import { randomUUID } from 'node:crypto';
import { hangMs } from '@eas/testing/eventually';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type ApiResponse = { status: number; body: any };

/**
 * A robust client: it repeats a call, at any of the gateways, until it gets a response that is not a 5xx.
 */
export function createPatientClient({ baseUrls, apiKey }: { baseUrls: readonly string[]; apiKey: string }) {
  async function call(method: string, path: string, body?: object): Promise<ApiResponse> {
    // The key makes the repeated POST of a resource safe: it is made once.
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const deadline = performance.now() + hangMs;
    for (;;) {
      const baseUrl = baseUrls[Math.floor(Math.random() * baseUrls.length)] ?? '';
      const result = await tryOnce(baseUrl + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (result) return result;
      if (performance.now() > deadline) throw new Error(`${method} ${path}: no response within ${hangMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async function tryOnce(url: string, init: RequestInit): Promise<ApiResponse | undefined> {
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      if (response.status >= 500 || isInFlight(response.status, text)) return undefined;
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    } catch {
      return undefined;
    }
  }

  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: object = {}) => call('POST', path, body),
    patch: (path: string, body: object) => call('PATCH', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}

export type PatientClient = ReturnType<typeof createPatientClient>;

/** Claims until there is a task for the agent: a slow machine may plan it late. */
export async function claimFor(
  { post }: Pick<PatientClient, 'post'>,
  agentId: string,
  body: object = {},
): Promise<ApiResponse['body']> {
  for (;;) {
    const claim = await post(`/v1/agents/${agentId}/claims`, { wait_seconds: 10, ...body });
    if (claim.status === 200) return claim.body;
    if (claim.status !== 204)
      throw new Error(`${agentId} claims nothing: ${claim.status} ${JSON.stringify(claim.body)}`);
  }
}

/** The previous call, whose response was lost, is still being processed. */
function isInFlight(status: number, text: string): boolean {
  return status === 409 && text.includes('idempotency_in_flight');
}
