/** Words of `sluice schedule`. */

export const actions = ["list", "history", "run", "pause", "resume"] as const

export const targets = ["cron", "systemd", "github", "k8s"] as const
export type Target = (typeof targets)[number]

export const defaultFolder = "pipelines"
