/** A held run that is released or dropped, by processes that are killed in the middle of it: both end once, and whole. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { build, launch, sluice } from "./Sluice.ts"

const files = 300

/** Each row is a file of its own, and too few of them: the first run is held. */
const definition = `version: 1
name: shop
state: { key: shop }
health: { rows: { min: 1000 } }
steps:
  - read: rows.jsonl
  - dedupe: { key: id, across: runs }
  - write: { jsonl: "out/row-{seq}.jsonl", roll: { rows: 1 } }
`

const ids = Array.from({ length: files }, (_, id) => id)

const project = Effect.gen(function* () {
  const bin = yield* build
  const cwd = yield* tempDir
  writeFileSync(`${cwd}/shop.yaml`, definition)
  writeFileSync(`${cwd}/rows.jsonl`, ids.map((id) => `${JSON.stringify({ id })}\n`).join(""))
  const act = (...words: ReadonlyArray<string>) => sluice({ bin, cwd, words })
  const held = yield* act("run", "shop.yaml", "--json", "--quiet")
  expect(held.code, held.err).toBe(6)
  const { runId }: { readonly runId: string } = JSON.parse(held.out)
  const named = (isPartial: boolean) =>
    readdirSync(`${cwd}/out`).filter((name) => name.includes(".jsonl") && name.endsWith(".partial") === isPartial)
  const [published, partial] = [() => named(false), () => named(true)]
  expect([published().length, partial().length]).toEqual([0, files])
  /** Starts a command and kills it once the folder is in this state. */
  const killed = (isDue: () => boolean, ...words: ReadonlyArray<string>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { child, kill } = yield* launch({ bin, cwd, words })
        // Looks without a pause: between two looks of a timer, all files would be done.
        yield* Effect.sync(() => {
          const deadline = Date.now() + 60_000
          while (!isDue() && Date.now() < deadline);
          child.kill("SIGKILL")
        })
        yield* kill
      })
    )
  const statusOf = Effect.map(act("show", runId, "--json"), ({ out }): unknown => JSON.parse(out).status)
  return { act, cwd, killed, partial, published, runId, statusOf }
})

describe("a held run", () => {
  live("that is published by processes that are killed is published once, with its state", function* () {
    const { act, cwd, killed, partial, published, runId, statusOf } = yield* project
    yield* killed(() => published().length > 0, "publish", runId)
    const first = published().length
    expect(first).toBeGreaterThan(0)
    expect(first + partial().length).toBe(files)
    // Killed again while it is resumed, if there is anything left to do.
    yield* killed(() => published().length > Math.max(first, files / 2), "resume", runId)
    const last = yield* act("resume", runId, "--json")
    const isDone = (yield* statusOf) === "completed"
    expect([isDone, partial()], last.err).toEqual([true, []])
    const rows = published().map((name) => JSON.parse(readFileSync(`${cwd}/out/${name}`, "utf8")).id)
    expect(rows.toSorted((one, other) => one - other)).toEqual(ids)
    // It was published once: nothing is new to the next run, and nothing can be decided any more.
    expect((yield* act("publish", runId)).err).toContain(`run ${runId} is completed: only outputs of a held run`)
    const { out } = yield* act("show", runId, "--health", "--json")
    expect(JSON.parse(out).sinks.write.rows).toBe(files)
    const next = yield* act("run", "shop.yaml", "--json", "--quiet")
    expect(JSON.parse(next.out)).toMatchObject({ status: "held", rows: 0 })
  })

  live("that is dropped by processes that are killed leaves nothing, and its rows are new again", function* () {
    const { act, killed, partial, published, runId, statusOf } = yield* project
    yield* killed(() => partial().length < files, "discard", runId)
    expect(partial().length).toBeLessThan(files)
    yield* killed(() => partial().length < files / 2, "discard", runId)
    const last = yield* act("discard", runId)
    // The second process may have come to its end.
    if (last.code !== 0) expect(last.err).toContain(`run ${runId} is discarded: only outputs of a held run`)
    expect([yield* statusOf, partial(), published()]).toEqual(["discarded", [], []])
    expect((yield* act("publish", runId)).err).toContain(`run ${runId} is discarded: only outputs of a held run`)
    const next = yield* act("run", "shop.yaml", "--json", "--quiet")
    expect(JSON.parse(next.out)).toMatchObject({ status: "held", rows: files })
  })
})
