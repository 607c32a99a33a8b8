/** Days and months begin in UTC, by the clock of the database. */
const utc = `app_now() AT TIME ZONE 'UTC'`;
const unitOf = (budget: string) => `CASE ${budget}.period WHEN 'task' THEN NULL ELSE ${budget}.period END`;
const startOf = (budget: string) => `date_trunc(${unitOf(budget)}, ${utc})`;

/** The current period of a budget, of which `budget` is the alias: its name, and when it begins and ends. */
export const periodSql = {
  /** `2026-11-20` or `2026-11`. */
  name: (budget: string) => `to_char(${utc}, CASE ${budget}.period WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)`,
  startsAt: (budget: string) => `${startOf(budget)} AT TIME ZONE 'UTC'`,
  endsAt: (budget: string) => `(${startOf(budget)} + ('1 ' || ${unitOf(budget)})::interval) AT TIME ZONE 'UTC'`,
  /** The key of the period of a call within the budget: the task, the name, or both. */
  key: (budget: string, taskId: string) => `
    CASE WHEN ${budget}.period = 'task' THEN ${taskId}
      WHEN ${budget}.scope = 'task' THEN ${taskId} || ' ' || ${periodSql.name(budget)}
      ELSE ${periodSql.name(budget)} END`,
};
