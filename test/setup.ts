/** Before each file: what `layer` of the test library writes into the `it` of one file would be read by the next of its process. */
import { it, makeMethods } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { seed } from "./Repetitions.ts"

makeMethods(it)

// Properties try the same values in each run of `npm test`, so a change that breaks nothing cannot fail by chance.
FastCheck.configureGlobal({ seed })
