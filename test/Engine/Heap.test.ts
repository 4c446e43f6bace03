/** Collections of a heap on demand, in a process of their own: that of the tests is full of other garbage. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

it.skipIf(skipsLong)("A collection frees unreachable buffers of an idle process", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program("collected")])
  expect(stdout.trim()).toBe("8")
})
