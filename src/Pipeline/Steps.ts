/** Every step that a definition may use. */
import { write } from "../Sink/Write.ts"
import { all } from "../Step/All.ts"
import type * as Step from "../Step.ts"

export const steps: ReadonlyArray<Step.Any> = [...all, write]

/** The steps with their types, for definitions in TypeScript. */
export type AnyStep = (typeof all)[number] | typeof write
