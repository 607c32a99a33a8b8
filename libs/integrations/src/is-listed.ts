/** Whether an integration is about a repository (`owner/name`): it lists that, by name or whole, or none at all. */
export function isListed(listed: readonly string[], repository: string): boolean {
  const whole = repository.toLowerCase();
  const name = whole.slice(whole.indexOf('/') + 1);
  return listed.length === 0 || listed.some((one) => [whole, name].includes(one.toLowerCase()));
}
