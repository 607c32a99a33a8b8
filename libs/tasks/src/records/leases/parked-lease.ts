/** An agent has that long to come back after the answer. */
export const reviveSeconds = 600;
