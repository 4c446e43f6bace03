/** Before each file: what `layer` of the test library writes into the `it` of one file would be read by the next of its process. */
import { setImmediate } from "node:timers/promises"
import { it, makeMethods } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { beforeEach, expect } from "vitest"
import { beginFile } from "./Long.ts"
import { seed, useSeed } from "./Repetitions.ts"

makeMethods(it)

useSeed(beginFile(expect.getState().testPath))

// Properties try the same values in each run of `npm test`, so a change that breaks nothing cannot fail by chance.
FastCheck.configureGlobal({ seed })

// A row of tests without a turn of the event loop would keep the worker from hearing its runner, which gives it up after a minute.
beforeEach(() => setImmediate())
