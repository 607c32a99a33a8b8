/** A month as `2026-11`, from the year 1000 on. */
export const monthPattern = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;
