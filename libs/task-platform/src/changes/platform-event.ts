import {
  knownPlatformEvents,
  type PlatformEvent,
  platformEventByKind,
  platformIdField,
  type PlatformKind,
  platformKinds,
  ruleOfIssue,
  unknownPlatformEvent,
} from '@eas/contracts';
import { AppError, type Constraint } from '@eas/core';
import type { z } from 'zod';

export type ReceivedPlatformEvent = {
  body: PlatformEvent;
  kind: PlatformKind;
  /** False for a well-formed name that is not known: kept as quarantined. */
  isKnown: boolean;
  externalId: string | undefined;
};

/** Checks the body against the shape of its event; AppError invalid_request when it does not fit. */
export function readPlatformEvent(body: Record<string, unknown>): ReceivedPlatformEvent {
  const { event } = body;
  const isKnown = typeof event === 'string' && knownPlatformEvents.has(event);
  const kind = platformKindOf(event);
  checkShape(isKnown && kind ? platformEventByKind[kind] : unknownPlatformEvent, body);
  // The shape is checked and the body itself goes on: a parsed copy would give a "__proto__" key power.
  const checked = body as PlatformEvent;
  if (!kind) throw refused('event', 'pattern', 'is not a known event type');
  return { body: checked, kind, isKnown, externalId: checked[platformIdField[kind]] ?? undefined };
}

export function platformKindOf(event: unknown): PlatformKind | undefined {
  return typeof event === 'string' ? platformKinds.find((kind) => event.startsWith(kind)) : undefined;
}

/** Throws AppError invalid_request naming the first field that does not fit. */
export function checkShape(schema: z.ZodType, body: unknown): void {
  const issue = schema.safeParse(body, { error: ruleOfIssue }).error?.issues[0];
  if (!issue) return;
  const field = issue.path.map(String).join('.').slice(0, 200);
  throw refused(field, issue.code === 'invalid_type' ? 'type' : 'format', issue.message);
}

function refused(field: string, constraint: Constraint, message: string): AppError {
  return new AppError('invalid_request', { violations: [{ field, constraint, message }] });
}
