/** The body of a delivery. `data` depends on `event_type`; the OpenAPI document of the service has its schemas. */
export type WebhookEvent = {
  event_type: string;
  /** Equals the header `webhook-id`; the same each time that the event is sent. */
  event_id: string;
  /** Time of the event, not of the attempt. */
  timestamp: string;
  data: Record<string, unknown>;
};

/** Undefined for anything but an event in UTF-8. */
export function parseEvent(body: Uint8Array): WebhookEvent | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (value: unknown): value is WebhookEvent =>
  isObject(value) &&
  typeof value['event_type'] === 'string' &&
  typeof value['event_id'] === 'string' &&
  typeof value['timestamp'] === 'string' &&
  isObject(value['data']);
