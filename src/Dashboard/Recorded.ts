/**
 * Environment variable by which the dashboard tells a process that it starts: what you print becomes the log of your
 * run. The process removes it from its environment, so that processes which it starts do not have it.
 */
export const recorded = "SLUICE_RUN_RECORDED"
