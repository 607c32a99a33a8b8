/** What the address of the list contains: archived workflows, or those that can be started. */
export type WorkflowSearch = { archived?: true };

export const readWorkflowSearch = (search: Record<string, unknown>): WorkflowSearch =>
  search['archived'] === true ? { archived: true } : {};
