/** The rule that a value broke. The last row belongs to 409 responses. */
export type Constraint =
  | 'required'
  | 'type'
  | 'min_length'
  | 'max_length'
  | 'min'
  | 'max'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'unknown_field'
  | 'max_size'
  | 'state'
  | 'version'
  | 'lease_lost'
  | 'idempotency_key_reuse'
  | 'idempotency_in_flight'
  | 'contract'
  | 'limit'
  | 'exists';

/** `field`: a dotted path, empty for the whole body. `message` follows the field's name: "must be at most 100". */
export type Violation = { field: string; constraint: Constraint; message?: string };

/** The violation as a sentence that names the field first: "limit must be at most 100." */
export function violationSentence({ field, constraint, message }: Violation): string {
  return `${field || 'body'} ${message ?? rules[constraint] ?? 'is invalid'}.`;
}

const rules: Partial<Record<Constraint, string>> = {
  required: 'is required',
  type: 'has the wrong type',
  min_length: 'is too short',
  max_length: 'is too long',
  min: 'is too small',
  max: 'is too large',
  enum: 'is not one of the allowed values',
  format: 'does not have the required format',
  pattern: 'does not match the required pattern',
  unknown_field: 'is not a known field',
  max_size: 'is too large',
};
