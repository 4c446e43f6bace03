import processes, { ChildProcess, execFileSync } from "node:child_process"
import { EventEmitter } from "node:events"
import { closeSync, constants, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Pool from "../../../src/Engine/Parse/Pool.ts"
import type { Job } from "../../../src/Engine/Parse/Protocol.ts"
import * as FairQueue from "../../../src/Engine/Teams/FairQueue.ts"
import { expect, layer } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import * as Documents from "./Documents.ts"
import { fileOf, until } from "./Folder.ts"

class Children extends Context.Tag("sluice/test/Children")<Children, Pool.Children>() {}

/** Parser processes that this process has started. */
const childPids = (): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = / \d+ \(.*\) \S (\d+) /.exec(` ${readFileSync(`/proc/${pid}/stat`, "latin1")}`)?.[1]
        return (
          Number(parent) === process.pid && /parse-child|Child\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, "latin1"))
        )
      } catch {
        return false
      }
    })

/** The parser process that was started since then; the worker of the tests may have others, such as Chromium. */
const newChild = (before: ReadonlyArray<number>): ChildProcess => {
  const [pid] = childPids().filter((each) => !before.includes(each))
  const handles = Reflect.apply(Reflect.get(process, "_getActiveHandles"), process, []) as ReadonlyArray<unknown>
  return handles.find((each) => each instanceof ChildProcess && each.pid === pid) as ChildProcess
}

const job = (path: string, name = "tides.rtf"): Job => ({
  path,
  name,
  promised: "rtf",
  limitMillis: 60_000,
  options: {
    formats: ["markdown"],
    onlyMainContent: true,
    onlyCleanContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
    budgetMillis: 10_000
  }
})

const good = Effect.map(fileOf(Documents.rtf()), (path) => job(path))

/** A FIFO without a writer: reading it never ends. */
const endless = Effect.map(tempDir, (folder) => {
  const path = join(folder, "pipe")
  execFileSync("sh", ["-c", `mkfifo "${path}"`])
  return job(path)
})

/** Waits until a child reads the pipe, and keeps it open without a byte. */
const untilRead = ({ path }: Job) =>
  Effect.gen(function* () {
    let writer: number | undefined
    yield* Effect.addFinalizer(() => Effect.sync(() => writer !== undefined && closeSync(writer)))
    yield* until(() => {
      try {
        writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
        return true
      } catch {
        return false
      }
    })
  })

/** Four processes that two teams share. */
const shared = Effect.provideService(Pool.make(4), FairQueue.Teams, { teams: 2, weights: FairQueue.equal })

layer(Layer.provide(Layer.scoped(Children, Pool.make(4)), alone), { excludeTestServices: true })("Pool", (it) => {
  it.scoped("parses files one after the other in the same child process", function* () {
    const children = yield* Children
    const first = yield* children.run(yield* good)
    expect(first).toMatchObject({ kind: "parsed", file: { document: { metadata: { sourceURL: "tides.rtf" } } } })
    const before = childPids()
    yield* children.run(yield* good)
    expect(childPids()).toEqual(before)
  })

  it.scoped.skipIf(skipsLong)("children that were started ahead take the first files", function* () {
    const count = Math.min(2, availableParallelism() - 1)
    const children = yield* Effect.provide(Pool.make(4), alone)
    const others = childPids()
    const started = () => childPids().filter((pid) => !others.includes(pid))
    yield* Effect.flatMap(children.startAhead, Fiber.join)
    const before = started()
    expect(before).toHaveLength(count)
    if (count === 0) return
    expect(yield* children.run(yield* good)).toMatchObject({ kind: "parsed" })
    expect(started()).toEqual(before)
  })

  it.scoped("a file that waits for a child that has too much memory once it is ready starts its own", function* () {
    if (availableParallelism() < 2) return
    const real = processes.fork
    const worn = Object.assign(new EventEmitter(), {
      pid: process.pid,
      exitCode: null,
      signalCode: null,
      kill: () => true
    })
    const large = Buffer.alloc(300 * 1024 * 1024, 1)
    const forks: Array<() => unknown> = [() => worn]
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        processes.fork = ((...given: Parameters<typeof real>) => forks.shift()?.() ?? real(...given)) as typeof real
        syncBuiltinESMExports()
      }),
      () =>
        Effect.sync(() => {
          processes.fork = real
          syncBuiltinESMExports()
        })
    )
    const children = yield* Effect.provide(Pool.make(4), alone)
    const ahead = yield* children.startAhead
    yield* until(() => worn.listenerCount("message") > 0)
    const reply = yield* Effect.fork(children.run(yield* good))
    yield* Effect.yieldNow()
    worn.emit("message", { kind: "ready" })
    yield* Fiber.join(ahead)
    expect(yield* Fiber.join(reply)).toMatchObject({ kind: "parsed" })
    expect(large.length).toBeGreaterThan(0)
  })

  it.scoped.skipIf(skipsLong)("a file that comes while the only child becomes idle is parsed, too", () =>
    Effect.forEach(
      [7, 8, 9, 10, 11],
      (turns) =>
        Effect.gen(function* () {
          const children = yield* Effect.provide(Pool.make(4), alone)
          const file = yield* good
          const before = childPids()
          yield* children.run(file)
          const child = newChild(before)
          const first = yield* Effect.fork(children.run(file))
          // At moments around the end of the first file, in microtasks after the answer of its child.
          const second = yield* Effect.promise(
            () =>
              new Promise<Fiber.RuntimeFiber<unknown, unknown>>((resolve) => {
                child.on("message", async ({ kind }: { readonly kind: string }) => {
                  if (kind !== "parsed") return
                  for (let turn = 0; turn < turns; turn += 1) await undefined
                  resolve(Effect.runFork(children.run(file)))
                })
              })
          )
          const replies = Effect.all([Fiber.join(first), Fiber.join(second)])
          expect(yield* replies).toMatchObject([{ kind: "parsed" }, { kind: "parsed" }])
        }).pipe(Effect.scoped),
      { discard: true }
    )
  )

  it.scoped.skipIf(skipsLong)("a child that is killed while parsing fails only its own file", function* () {
    const children = yield* Children
    yield* children.run(yield* good)
    // Children of the test before may still be ending.
    yield* until(() => childPids().length === 1)
    const [pid = -1] = childPids()
    const pipe = yield* endless
    const lost = yield* Effect.fork(Effect.flip(children.run(pipe)))
    // A file that its child has not begun would be tried by another one.
    yield* untilRead(pipe)
    const other = yield* Effect.fork(children.run(yield* good))
    yield* until(() => childPids().length >= 2)
    process.kill(pid, "SIGKILL")
    expect(yield* Fiber.join(lost)).toMatchObject({ _tag: "ChildLost", reason: "exited", detail: "SIGKILL" })
    expect(yield* Fiber.join(other)).toMatchObject({ kind: "parsed" })
    expect(yield* children.run(yield* good)).toMatchObject({ kind: "parsed" })
    yield* until(() => !childPids().includes(pid))
  })

  it.scoped("a child that dies between two files fails neither", function* () {
    const children = yield* Children
    yield* children.run(yield* good)
    for (const pid of childPids()) process.kill(pid, "SIGKILL")
    yield* until(() => childPids().length === 0)
    expect(yield* children.run(yield* good)).toMatchObject({ kind: "parsed" })
  })

  it.scoped.skipIf(skipsLong)("interruption kills the child at once and frees its slot", function* () {
    const children = yield* Children
    yield* Effect.all([children.run(yield* good), children.run(yield* good)], { concurrency: 2 })
    const stuck = yield* Effect.forEach([yield* endless, yield* endless], (each) => Effect.fork(children.run(each)))
    yield* until(() => childPids().length >= 2)
    const waiting = yield* Effect.fork(children.run(yield* good))
    const pids = childPids()
    yield* Fiber.interruptAll(stuck)
    expect(yield* Fiber.join(waiting)).toMatchObject({ kind: "parsed" })
    yield* until(() => pids.every((pid) => !childPids().includes(pid)))
  })

  it.effect("reads two files at once when memory is short, and never more than four", () =>
    Effect.sync(() => expect([0, 3e9, 64e9].map(Pool.placesFor)).toEqual([2, 3, 4]))
  )

  it.scoped.skipIf(skipsLong)(
    "never runs more children than there are places, however many files are queued",
    function* () {
      const children = yield* Children
      const jobs = yield* Effect.replicateEffect(good, 12)
      let most = 0
      const replies = yield* Effect.forEach(
        jobs,
        (each) => Effect.tap(children.run(each), () => Effect.sync(() => (most = Math.max(most, childPids().length)))),
        { concurrency: "unbounded" }
      )
      expect(replies.every(({ kind }) => kind === "parsed")).toBe(true)
      expect(most).toBeLessThanOrEqual(4)
    }
  )

  it.scoped.skipIf(skipsLong)(
    "slow files do not block others, no team takes all children, and the children of interrupted files are stopped",
    function* () {
      const before = childPids()
      const started = () => childPids().filter((pid) => !before.includes(pid)).length
      const children = yield* shared
      const slow = yield* Effect.forEach([yield* endless, yield* endless, yield* endless, yield* endless], (each) =>
        Effect.fork(children.run(each, "slow"))
      )
      for (let count = 0; count < 5; count += 1) {
        expect(yield* children.run(yield* good, "other")).toMatchObject({ kind: "parsed" })
      }
      // Three for the slow team, whose fourth file waits, and one for the other team.
      expect(started()).toBeLessThanOrEqual(4)
      yield* Fiber.interruptAll(slow)
      yield* until(() => started() <= 1)
      expect(yield* children.run(yield* good, "slow")).toMatchObject({ kind: "parsed" })
    }
  )

  it.scoped.skipIf(skipsLong)(
    "beside slow files a child is ready for others, and the children of slow files stay for the next ones",
    function* () {
      const before = childPids()
      const started = () => childPids().filter((pid) => !before.includes(pid)).length
      const children = yield* shared
      const jobs = [yield* endless, yield* endless, yield* endless]
      const slow = yield* Effect.forEach(jobs, (each) => Effect.fork(children.run(each, "slow")))
      yield* until(() => started() === 4)
      for (let count = 0; count < 3; count += 1) {
        expect(yield* children.run(yield* good, "other")).toMatchObject({ kind: "parsed" })
      }
      writeFileSync(jobs[0]?.path ?? "", Documents.rtf())
      expect(yield* Fiber.join(slow[0] as (typeof slow)[number])).toMatchObject({ kind: "parsed" })
      expect(started()).toBe(4)
      yield* Fiber.interruptAll(slow)
    }
  )

  it.scoped.skipIf(skipsLong)(
    "with several teams, a child is started ahead beside the first file, for the first one of another team",
    function* () {
      const before = childPids()
      const children = yield* shared
      const stuck = yield* Effect.forkScoped(children.run(yield* endless, "one"))
      yield* until(() => childPids().filter((pid) => !before.includes(pid)).length === 2)
      expect(yield* children.run(yield* good, "other")).toMatchObject({ kind: "parsed" })
      yield* Fiber.interrupt(stuck)
    }
  )

  it.scoped("with several teams, files that begin together start one child ahead between them", function* () {
    const before = childPids()
    const started = () => childPids().filter((pid) => !before.includes(pid)).length
    const children = yield* shared
    let most = 0
    for (let round = 0; round < 3; round += 1) {
      const files = [yield* good, yield* good, yield* good]
      yield* Effect.forEach(files, (file) => children.run(file, "one"), { concurrency: "unbounded" })
      most = Math.max(most, started())
    }
    expect(most).toBeLessThanOrEqual(4)
  })

  it.scoped("ends at once while a child is being started ahead", function* () {
    const before = childPids()
    const started = () => childPids().filter((pid) => !before.includes(pid)).length
    yield* Effect.scoped(
      Effect.gen(function* () {
        const children = yield* shared
        const slow = yield* Effect.forEach([yield* endless, yield* endless], (each) => Effect.fork(children.run(each)))
        // Two at work, and the spare one that has just been started.
        yield* until(() => started() === 3)
        yield* Fiber.interruptAll(slow)
      })
    ).pipe(Effect.disconnect, Effect.timeout("20 seconds"))
    yield* until(() => started() === 0)
  })

  it.scoped("children have a heap limit of half a gigabyte", function* () {
    const children = yield* Children
    yield* children.run(yield* good)
    const words = readFileSync(`/proc/${childPids()[0]}/cmdline`, "latin1").split("\0")
    expect(words).toContain("--max-old-space-size=512")
  })

  it.scoped("children get no environment variables of the server except those they need", function* () {
    const children = yield* Children
    yield* children.run(yield* good)
    const [pid] = childPids()
    const names = readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .flatMap((line) => line.split("=", 1))
      .filter((name) => name !== "")
    const expected = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot", "TZ", "NODE_CHANNEL_FD"]
    expect(names.filter((name) => !expected.includes(name) && name !== "NODE_CHANNEL_SERIALIZATION_MODE")).toEqual([])
  })
})
