/** Collections of a heap on demand, in a process of their own: that of the tests is full of other garbage. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { runInNewContext } from "node:vm"
import { expect, it, vi } from "vitest"
import { turnOfLoop } from "../../src/Callback/EventLoop.ts"
import { youngCollector } from "../../src/Engine/Teams/Heap.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

vi.mock("node:vm", { spy: true })

it.skipIf(skipsLong)("A collection frees unreachable buffers of an idle process", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program("collected")])
  expect(stdout.trim()).toBe("8")
})

it("A young collection leaves `gc` to a program that has it, and does nothing where no thread can have it", () => {
  const gc = vi.fn()
  vi.stubGlobal("gc", gc)
  youngCollector()()
  expect(gc).toHaveBeenCalledWith({ type: "minor" })
  vi.stubGlobal("gc", undefined)
  vi.mocked(runInNewContext).mockImplementationOnce(() => {
    throw new ReferenceError("gc is not defined")
  })
  youngCollector()()
  vi.unstubAllGlobals()
})

it("A young collection frees the buffers that a thread has just dropped", async () => {
  const collect = youngCollector()
  const used = () => process.memoryUsage().arrayBuffers / 2 ** 20
  for (let count = 0; count < 16; count++) new Uint8Array(2 ** 20)
  const before = used()
  collect()
  for (let turn = 0; turn < 1_000 && used() > before - 15; turn++) await turnOfLoop()
  expect(used()).toBeLessThanOrEqual(before - 15)
})
