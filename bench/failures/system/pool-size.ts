/** Of each process of a system in which something fails. */
export const poolSize = 6;
