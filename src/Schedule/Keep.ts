/** How long instants are remembered that are over. */

export const keep = "90 days"
