/** The end of an exhaustive switch: a new member of the union does not compile until it has a case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
