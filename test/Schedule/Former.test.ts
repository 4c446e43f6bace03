/** Targets of notifications when a definition was invalid before the scheduler started. */

import { mkdirSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { read as readSource } from "../../src/Pipeline/Source.ts"
import { frozen, load } from "../../src/Schedule/Read.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { assert, describe, expect, it, scoped } from "../It.ts"
import { run } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { close, make, memory, timed, until } from "./World.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

scoped("a resumed run uses the definition that its code gave at the start, without running the code", function* () {
  const [world, ledger] = [yield* make, yield* memory]
  // The permissions of the run that started may have been withdrawn, and the file may have changed.
  world.writeText("watch.mjs", "throw new Error('it runs')")
  const definition = JSON.stringify({ version: 1, name: "watch", steps: [{ urls: ["https://example.com/"] }] })
  yield* Effect.scoped(
    ledger.open(run("r1", { pipeline: "watch", file: `${world.folder}/watch.mjs`, definition, inputs: {} }))
  )
  const record = yield* ledger.find("r1")
  assert.isDefined(record)
  const checked = yield* Effect.provide(
    frozen(record, { allowCode: false, scope: { env: {}, secrets: () => undefined } }),
    NodeContext.layer
  )
  expect(checked.nodes.map(({ step }) => step.key)).toEqual(["urls"])
})

/** A module with a step `KEY`, of which another module gives the name. */
const steps = () => `import * as Effect from "${root}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Step } from "${program("index")}"
import { key } from "./helper.mjs"
export const own = Step.make({
  key,
  summary: "Passes rows.",
  example: "own: {}",
  config: Schema.Struct({}),
  behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
})
`

it.scoped.skipIf(skipsLong)(
  "a definition is loaded again when only a helper file of its extensions changes, disappears or comes back",
  () =>
    timed(function* () {
      yield* until("2026-01-05T09:59:00Z")
      const [world, ledger] = [yield* make, yield* memory]
      const helper = (key: string) => world.writeText("lib/helper.mjs", `export const key = "${key}"\n`)
      mkdirSync(`${world.folder}/lib`)
      helper("pass")
      world.writeText("lib/steps.mts", steps())
      const yaml = (name: string, key: string, more: string) =>
        world.writeText(
          `${name}.yaml`,
          `version: 1\nname: ${name}\nschedule: { cron: "0 * * * *" }\n${more}steps:\n  - urls: [https://a.example/]\n${key}`
        )
      yaml("extended", "  - pass: {}\n", "extensions: ./lib/steps.mts\n")
      yaml("other", "", "")
      const scope = { env: {}, secrets: () => undefined }
      const loads: Array<string> = []
      const runner = {
        ...world.runner,
        load: (file: string) => {
          loads.push(basename(file))
          return Effect.provide(load(file, { allowCode: true, scope }), NodeContext.layer)
        }
      }
      const served = yield* world.serve(ledger, { runner })
      const rescanned = Effect.gen(function* () {
        loads.length = 0
        yield* served.rescan
        return [loads.join(), (yield* served.status).broken.map(({ message }) => message).join()]
      })
      expect(yield* rescanned).toEqual(["", ""])
      helper("other")
      expect(yield* rescanned).toEqual(["extended.yaml", expect.stringContaining("pass")])
      world.remove("lib/helper.mjs")
      expect(yield* rescanned).toEqual(["extended.yaml", expect.stringContaining("helper.mjs")])
      expect((yield* rescanned)[0]).toBe("")
      helper("pass")
      expect(yield* rescanned).toEqual(["extended.yaml", ""])
      expect(yield* rescanned).toEqual(["", ""])
    })
)

scoped.skipIf(skipsLong)(
  "a resumed run of code with steps of its own takes them from the code, where that is allowed",
  function* () {
    const [world, ledger] = [yield* make, yield* memory]
    const text = (url: string) => `import * as Effect from "${root}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Pipeline, Step } from "${program("index")}"
const pass = Step.make({
  key: "pass",
  summary: "Passes rows.",
  example: "pass: {}",
  config: Schema.Struct({}),
  behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
})
export default Pipeline.make(
  { version: 1, name: "watch", steps: [{ urls: ["${url}"] }, { pass: {} }] },
  { steps: [pass] }
)
`
    const file = `${world.folder}/watch.mts`
    const scope = { env: {}, secrets: () => undefined }
    world.writeText("watch.mts", text("https://a.example/"))
    const { text: definition } = yield* Effect.provide(readSource(file), NodeContext.layer)
    yield* Effect.scoped(ledger.open(run("r1", { pipeline: "watch", file, definition, inputs: {} })))
    const record = yield* ledger.find("r1")
    assert.isDefined(record)
    const resumed = (allowCode: boolean) => Effect.provide(frozen(record, { allowCode, scope }), NodeContext.layer)
    expect((yield* resumed(true)).nodes.map(({ step }) => step.key)).toEqual(["urls", "pass"])
    expect((yield* Effect.flip(resumed(false))).message).toContain(
      "only the program that made this definition has these extensions"
    )
    // A definition that has changed is not that of the run.
    world.writeText("watch.mts", text("https://b.example/"))
    expect((yield* Effect.flip(resumed(true))).message).toContain(
      "only the program that made this definition has these extensions"
    )
  }
)

scoped("code with a schedule that is not a valid definition is reported, and code that steps use is not", function* () {
  const world = yield* make
  const schedule = { cron: "0 6 * * *" }
  const text = JSON.stringify({ version: 1, name: "watch", schedule, steps: [{ url: ["https://example.com/"] }] })
  world.writeText("watch.mjs", `export default ${text}`)
  world.writeText("used.mjs", "export default (rows) => rows")
  world.writeText("absent.mjs", 'import "./nowhere.mjs"')
  const read = (name: string) =>
    load(`${world.folder}/${name}`, { allowCode: true, scope: { env: {}, secrets: () => undefined } })
  const { issues } = yield* Effect.flip(read("watch.mjs"))
  expect(issues[0]?.message).toMatch(/url/)
  for (const name of ["used.mjs", "absent.mjs"]) expect((yield* read(name)).frame.schedule).toBeUndefined()
})

describe("a definition that was invalid before the start", () => {
  it.scoped("notifies the targets of its last run's definition, and never runs that definition", () =>
    timed(function* () {
      yield* until("2026-01-05T09:59:00Z")
      const [world, ledger] = [yield* make, yield* memory]
      const notify = 'notify: [{ on: [missed], webhook: "${{ secrets.HOOK }}" }]\n'
      world.write("watch", 'cron: "0 * * * *"', notify)
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      const definition = `version: 1\nname: watch\n${notify}steps:\n  - urls: ["https://example.com/"]\n`
      const file = `${world.folder}/watch.yaml`
      yield* Effect.scoped(
        Effect.flatMap(ledger.open(run("r1", { file, definition, inputs: {} })), (past) => past.complete(null))
      )
      world.writeText("watch.yaml", "steps: [")
      const secrets = () => Redacted.make("http://127.0.0.1:9/hook")
      const former = (record: Parameters<typeof frozen>[0]) =>
        Effect.provide(frozen(record, { allowCode: false, scope: { env: {}, secrets } }), NodeContext.layer)
      const served = yield* world.serve(ledger, { runner: { ...world.runner, former } })
      expect((yield* served.status).pipelines).toMatchObject([{ pipeline: "watch", broken: expect.anything() }])
      yield* until("2026-01-05T10:00:00Z")
      const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
      expect(notices).toMatchObject([{ pipeline: "watch", event: "missed" }])
      expect(notices[0]?.body).toContain("its definition is broken")
      // The earlier definition is never run.
      expect(world.ran).toEqual([])
    })
  )
})
