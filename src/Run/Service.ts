/** Whether a run needs a service at all, and what it is given where it doesn't. */
import type { Checked } from "../Pipeline/Check.ts"
import { asks } from "../Pipeline/Plan/Work.ts"

/** True when a step asks a service: without one, none need be started. */
export const isNeeded = ({ nodes }: Checked): boolean => nodes.some(({ config, step }) => asks(step.key, config))

/** Stands in for a service where no step asks one. */
export const nobody = { baseUrl: "http://localhost", apiKey: undefined }
