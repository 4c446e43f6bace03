/** Before each file: what `layer` of the test library writes into the `it` of one file would be read by the next of its process. */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
