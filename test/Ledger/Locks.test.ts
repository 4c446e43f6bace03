/** One at a time: who works on a run or a state is alone, is known to be alive, and is found out when it is not. */

import { type ChildProcess, spawn } from "node:child_process"
import { hostname } from "node:os"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, run, withLedger } from "./Ledgers.ts"

/** A process that does one thing with the ledger of a folder; gives its lines as they come. */
const spawnOn = (folder: string, ...rest: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program("ledger"), folder, ...rest], { stdio: ["pipe", "pipe", "inherit"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const line = (child: ChildProcess) =>
  Effect.async<string>((resume) => {
    child.stdout?.once("data", (data: Buffer) => resume(Effect.succeed(data.toString().trim())))
  })

const kill = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

const beatOf = (folder: string) =>
  Effect.map(
    behind(folder, (sql) => sql<{ beat: number }>`SELECT beat FROM locks`),
    ([row]) => row?.beat
  )

describe("locks", () => {
  scoped("allow one process to open a run, name that process to others, and are released with the scope", function* () {
    const folder = yield* tempDir
    const [one, two] = [yield* ledgerIn(folder), yield* ledgerIn(folder)]
    const scope = yield* Scope.make()
    yield* Scope.extend(one.open(run("r1")), scope)
    yield* TestClock.adjust("3 seconds")
    const locked = yield* Effect.flip(Effect.scoped(two.open(run("r1"))))
    expect(locked).toMatchObject({ _tag: "Locked", name: "run r1", owner: `process ${process.pid} on ${hostname()}` })
    expect(locked.message).toContain("whose last heartbeat was 3 s ago")
    expect(yield* two.history.alive).toEqual(new Set(["r1"]))
    yield* Effect.scoped(two.open(run("r2")))
    yield* Scope.close(scope, Exit.void)
    expect(yield* two.history.alive).toEqual(new Set())
    yield* Effect.scoped(two.open(run("r1")))
  })

  scoped("allow one run per state key, and hold nothing for a run that could not start", function* () {
    const folder = yield* tempDir
    const [one, two] = [yield* ledgerIn(folder), yield* ledgerIn(folder)]
    const stateKey = "watch/https://a.example"
    yield* one.open(run("r1", { stateKey }))
    const locked = yield* Effect.flip(two.open(run("r2", { stateKey })))
    expect(locked).toMatchObject({ _tag: "Locked", name: `state ${stateKey}` })
    expect(yield* two.find("r2")).toBeUndefined()
    expect(yield* two.history.alive).toEqual(new Set(["r1"]))
    // Without the state it may.
    yield* two.open(run("r2"))
    expect(yield* Effect.flip(two.states.clear(stateKey))).toMatchObject({ _tag: "Locked" })
  })

  scoped("allow one run per window of a backfill", function* () {
    const folder = yield* tempDir
    const [one, two] = [yield* ledgerIn(folder), yield* ledgerIn(folder)]
    const window = (from: string, more = {}) => ({ options: { backfill: true, ...more }, inputs: { from } })
    yield* one.open(run("r1", window("2024-01")))
    expect(yield* Effect.flip(two.open(run("r2", window("2024-01"))))).toMatchObject({
      _tag: "Locked",
      name: expect.stringMatching(/^backfill \w{16} of watch$/)
    })
    yield* two.open(run("r3", window("2024-02")))
    yield* two.open(run("r4", window("2024-01", { limit: 1 })))
    yield* two.open(run("r5", { ...window("2024-01"), group: "r1" }))
  })

  scoped("are kept by heartbeats, however long the work takes", function* () {
    const folder = yield* tempDir
    const [one, two] = [yield* ledgerIn(folder), yield* ledgerIn(folder)]
    yield* one.open(run("r1"))
    for (let minute = 0; minute < 3; minute++) {
      yield* TestClock.adjust("1 minute")
      expect(yield* Effect.flip(Effect.scoped(two.open(run("r1"))))).toMatchObject({ _tag: "Locked", beat: 0 })
    }
    expect(yield* beatOf(folder)).toBe(180_000)
  })

  scoped("are free after three missed heartbeats, and not before", function* () {
    const folder = yield* tempDir
    const ledger = yield* ledgerIn(folder)
    yield* behind(
      folder,
      (sql) =>
        sql`INSERT INTO locks (name, owner, host, pid, since, beat) VALUES ('run r1', 'x', 'elsewhere/4026', 7, 0, 0)`
    )
    yield* TestClock.adjust("15 seconds")
    const locked = yield* Effect.flip(Effect.scoped(ledger.open(run("r1"))))
    expect(locked).toMatchObject({ owner: "process 7 on elsewhere", beat: 15_000 })
    yield* TestClock.adjust("1 millis")
    yield* ledger.open(run("r1"))
  })

  scoped("once lost, end the run with an error: nothing more is written", function* () {
    const folder = yield* tempDir
    const ledger = yield* ledgerIn(folder)
    const journal = yield* ledger.open(run("r1"))
    yield* journal.checkpoint(checkpoint({ rows: 1 }))
    const told = yield* Effect.fork(Effect.flip(journal.lockLost))
    yield* behind(folder, (sql) => sql`UPDATE locks SET owner = 'thief'`)
    const writes = [
      journal.checkpoint(checkpoint({ rows: 2 })),
      journal.recordCall({ step: "a", mark: "1", answer: 1, credits: 1 }),
      journal.recordSealed([]),
      journal.complete(null),
      journal.end("failed")
    ]
    for (const write of writes) {
      const error = yield* Effect.flip(write)
      expect(error._tag).toBe("LedgerError")
      expect(error.message).toContain("another process has taken this work over")
    }
    expect((yield* Fiber.join(told)).message).toContain("taken this work over")
    expect(yield* ledger.find("r1")).toMatchObject({ rows: 1, status: "running", credits: 0 })
  })

  scoped("once lost, are noticed by the heartbeat of a run that writes nothing", function* () {
    const folder = yield* tempDir
    const ledger = yield* ledgerIn(folder)
    const journal = yield* ledger.open(run("r1"))
    yield* behind(folder, (sql) => sql`DELETE FROM locks`)
    const told = yield* Effect.fork(Effect.flip(journal.lockLost))
    yield* TestClock.adjust("5 seconds")
    expect((yield* Fiber.join(told)).message).toContain("taken this work over")
  })

  it.scopedLive.skipIf(skipsLong)(
    "of a killed process are free at once, and its committed data is there",
    function* () {
      const folder = yield* tempDir
      const child = yield* spawnOn(folder, "remember")
      let said = yield* line(child)
      while (Number(said.split("\n").at(-1)) < 40) said = yield* line(child)
      yield* kill(child)
      const acknowledged = Number(said.split("\n").at(-1))
      yield* withLedger(folder, (ledger) =>
        Effect.gen(function* () {
          const journal = yield* ledger.open(run("r1"))
          const answers = (yield* journal.answers).get("a") ?? new Map()
          for (let n = 1; n <= acknowledged; n++) expect(answers.get(`${n}`)).toBe(n)
          expect(yield* journal.booked).toMatchObject({ credits: answers.size, pages: answers.size })
        })
      )
    }
  )

  it.scopedLive.skipIf(skipsLong)("of a killed process are removed when any run starts", function* () {
    const folder = yield* tempDir
    const child = yield* spawnOn(folder, "remember")
    yield* line(child)
    yield* kill(child)
    const names = behind(folder, (sql) => sql<{ name: string }>`SELECT name FROM locks`)
    expect(yield* names).toEqual([{ name: "run r1" }])
    yield* withLedger(folder, (ledger) => Effect.scoped(ledger.open(run("r2"))))
    expect(yield* names).toEqual([])
  })

  it.scopedLive.skipIf(process.platform !== "linux" || skipsLong)(
    "of a process that was killed are free, also while its parent has not asked how it ended",
    function* () {
      const folder = yield* tempDir
      // `exec` makes a parent of it that never asks.
      const script = '"$0" "$1" "$2" remember & exec sleep 60'
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sh", ["-c", script, process.execPath, program("ledger"), folder], {
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      yield* line(parent)
      const [{ pid = 0 } = {}] = yield* behind(folder, (sql) => sql<{ pid: number }>`SELECT pid FROM locks`)
      process.kill(Number(pid), "SIGKILL")
      yield* withLedger(folder, (ledger) =>
        Effect.gen(function* () {
          yield* Effect.retry(Effect.scoped(ledger.open(run("r1"))), { times: 100, schedule: Schedule.spaced(20) })
          expect(yield* ledger.history.alive).toEqual(new Set())
        })
      )
      expect(() => process.kill(Number(pid), 0)).not.toThrow()
    }
  )

  it.scopedLive.skipIf(skipsLong)("are taken by exactly one of several processes that find them stale", function* () {
    const folder = yield* tempDir
    yield* withLedger(folder, () => Effect.void)
    yield* behind(
      folder,
      (sql) =>
        sql`INSERT INTO locks (name, owner, host, pid, since, beat) VALUES ('run r1', 'x', 'elsewhere/4026', 7, 0, 0)`
    )
    const children = yield* Effect.all([1, 2, 3].map(() => spawnOn(folder, "open")))
    expect(yield* Effect.forEach(children, line, { concurrency: "unbounded" })).toEqual(["ready", "ready", "ready"])
    for (const child of children) child.stdin.write("go\n")
    const said = yield* Effect.forEach(children, line, { concurrency: "unbounded" })
    expect(said.toSorted()).toEqual(["Locked", "Locked", "opened"])
  })
})

describeLedgers("a run", (place) => {
  scoped("is asked to stop by another process, and a later holder of its lock is not", function* () {
    const at = yield* place
    const [ledger, other] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    expect(yield* other.requestStop("r1")).toBe(false)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1"))
        const stopped = yield* Effect.fork(journal.stopRequested)
        yield* journal.checkpoint(checkpoint())
        expect(stopped.unsafePoll()).toBeNull()
        expect(yield* other.requestStop("r1")).toBe(true)
        yield* journal.checkpoint(checkpoint())
        yield* Fiber.join(stopped)
        yield* journal.end("stopped")
      })
    )
    expect(yield* other.requestStop("r1")).toBe(false)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1"))
        const stopped = yield* Effect.fork(journal.stopRequested)
        yield* journal.checkpoint(checkpoint())
        yield* Effect.yieldNow()
        expect(stopped.unsafePoll()).toBeNull()
      })
    )
  })
})

describeLedgers("contracts of a pipeline", (place) => {
  scoped("are kept with the first run that began with them, the newest first", function* () {
    const text = "version: 1\0\n"
    const { contracts } = yield* ledgerIn(yield* place)

    yield* contracts.record("watch", { run: "r1", text })
    yield* TestClock.adjust("1 minute")
    yield* contracts.record("watch", { run: "r2", text })
    yield* contracts.record("watch", { run: "r3", text: "version: 2\n" })
    yield* contracts.record("other", { run: "r4", text })
    expect(yield* contracts.of("watch", 9)).toEqual([
      { text: "version: 2\n", run: "r3", at: 60_000 },
      { text, run: "r1", at: 0 }
    ])
  })
})
