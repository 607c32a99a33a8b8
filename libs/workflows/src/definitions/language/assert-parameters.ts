import { type ParameterDefinition, parseTimestamp, taskPriorities, type WorkflowDefinition } from '@eas/contracts';
import { AppError, isJsonObject, type Violation } from '@eas/core';

type Rule = Pick<ParameterDefinition, 'type' | 'required' | 'enum'>;
type Broken = Omit<Violation, 'field'>;

/** What these parameters mean in every workflow, declared or not. */
export const knownParameters: Record<string, Pick<Rule, 'type' | 'enum'>> = {
  feature_description: { type: 'string' },
  priority: { type: 'string', enum: [...taskPriorities] },
  due_date: { type: 'timestamp' },
  repository: { type: 'string' },
  ticket_id: { type: 'string' },
};

/** Throws invalid_input naming the parameters that a run of the workflow cannot start with. Others are kept as they are. */
export function assertParameters(
  { parameters: declared }: Pick<WorkflowDefinition, 'parameters'>,
  parameters: Record<string, unknown>,
): void {
  const names = new Set([...Object.keys(declared), ...Object.keys(knownParameters)]);
  const violations = [...names].flatMap((name): Violation[] => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const rules = [knownParameters[name], declared[name]].filter((rule) => rule !== undefined);
    const broken = rules.map((rule) => brokenBy(value, rule)).find((one) => one !== undefined);
    return broken ? [{ field: `parameters.${name}`, ...broken }] : [];
  });
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}

function brokenBy(value: unknown, { type, required, enum: choices }: Partial<Rule>): Broken | undefined {
  if (value === undefined || value === null) return required ? { constraint: 'required' } : undefined;
  const broken = type && brokenType(value, type);
  if (broken) return broken;
  if (required && typeof value === 'string' && value.trim() === '') return { constraint: 'required' };
  return choices?.includes(value as string | number) === false
    ? { constraint: 'enum', message: `must be one of ${choices.join(', ')}` }
    : undefined;
}

function brokenType(value: unknown, type: ParameterDefinition['type']): Broken | undefined {
  if (!hasType(value, type)) return { constraint: 'type', message: `must be of the type ${type}` };
  return type === 'timestamp' && !parseTimestamp(value as string)
    ? { constraint: 'format', message: 'must be an RFC 3339 timestamp' }
    : undefined;
}

/** Whether a JSON value is of the type; a timestamp is a string first. */
export function hasType(value: unknown, type: ParameterDefinition['type']): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'timestamp':
      return typeof value === 'string';
    default:
      return typeof value === type;
  }
}
