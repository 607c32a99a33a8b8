/** What the description of a route says that needs `requireOperator`. */
export const forOperators = 'Only for the operator, to whom the tenant `default` belongs: others get 403.';
