import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { CheckedFiles, ensureResumable, layer, list, listWithin } from "../../src/Dashboard/Definitions.ts"
import { Setup } from "../../src/Dashboard/Setup.ts"
import { Permissions } from "../../src/Permissions.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

/** Services of a dashboard for a project. */
const provided = <A, E, R>(effect: Effect.Effect<A, E, R>, project: string, code: boolean) =>
  effect.pipe(
    Effect.provide(layer),
    Effect.provideService(Setup, {
      dataDir: join(project, "data"),
      definitions: existsSync(join(project, "pipelines")) ? join(project, "pipelines") : project,
      out: project,
      scope: { env: { REGION: "eu" }, secrets: () => undefined },
      service: undefined,
      command: [],
      arguments: [],
      env: {}
    }),
    Effect.provideService(Permissions, {
      project,
      isOwn: true,
      env: new Set<string>(),
      folders: [],
      code,
      dataFolders: [],
      out: project,
      hosts: new Map()
    })
  )

/** Refusal of a saved run; undefined when it can be resumed or replayed. */
const refusalOf = (steps: string, inputs: Readonly<Record<string, string>>, code = false) =>
  Effect.gen(function* () {
    const project = yield* tempDir
    mkdirSync(join(project, "pipelines"))
    writeFileSync(join(project, "pipelines", "rows.jsonl"), '{"n":1}\n')
    writeFileSync(join(project, "pipelines", "steps.mjs"), "export const steps = []\n")
    const definition = `version: 1\nname: p\ninputs: { file: { type: path, default: rows.jsonl } }\nsteps:\n${steps}`
    const read = ensureResumable({ definition, file: join(project, "pipelines", "p.yaml"), inputs })
    return yield* provided(
      Effect.orElseSucceed(Effect.flip(read), () => undefined),
      project,
      code
    )
  }).pipe(Effect.provide(NodeContext.layer))

const reading = '  - read: "${{ inputs.file }}"\n'

describe("Checking a saved run before a resume or a replay", () => {
  scoped("says how to run a definition with extensions, which the dashboard does not load", function* () {
    const refused = yield* refusalOf(`${reading}extensions: ./steps.ts\n`, {})
    expect(refused?.reason).toContain(
      "start or resume the run on the command line with --allow-code, or start the dashboard with --allow-code"
    )
  })

  scoped("loads extensions only when the dashboard was started with --allow-code", function* () {
    const steps = `${reading}  - write: { jsonl: x.jsonl }\nextensions: ./steps.mjs\n`
    const refused = yield* refusalOf(steps, { file: "rows.jsonl" })
    expect(refused?.reason).toContain("or start the dashboard with --allow-code")
    // This error shows that the module was loaded.
    const loaded = yield* refusalOf(steps, { file: "rows.jsonl" }, true)
    expect(loaded?.reason).toContain("./steps.mjs exports no step, no sink and no schema")
  })

  scoped("lists definitions without running code of the project, also with --allow-code", function* () {
    const project = yield* tempDir
    const module = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(join(project, "ran"))}, "")\n`
    writeFileSync(join(project, "steps.mjs"), module)
    const steps = "steps:\n  - own: {}\n  - write: { jsonl: x.jsonl }\n"
    writeFileSync(join(project, "p.yaml"), `version: 1\nname: p\nextensions: ./steps.mjs\n${steps}`)
    const [line] = (yield* provided(list, project, true)).definitions
    expect(line).toEqual(expect.objectContaining({ file: "p.yaml", name: "p", mistakes: [] }))
    expect(existsSync(join(project, "ran"))).toBe(false)
    const [refused] = (yield* provided(list, project, false)).definitions
    expect(refused?.mistakes[0]?.message).toContain("or start the dashboard with --allow-code")
  })

  scoped("uses the saved inputs, and refuses a run that writes to standard output", function* () {
    const refused = yield* refusalOf(`${reading}  - write: { jsonl: "-" }\n`, { file: "rows.jsonl" })
    expect(refused).toMatchObject({ status: 422, reason: expect.stringContaining("standard output") })
    expect(yield* refusalOf(`${reading}  - write: { jsonl: x.jsonl }\n`, { file: "rows.jsonl" })).toBeUndefined()
  })

  scoped("reports the errors that the process of the run would report", function* () {
    const outside = yield* refusalOf(`${reading}  - write: { jsonl: x.jsonl }\n`, { file: "/etc/rows.jsonl" })
    expect(outside).toMatchObject({ status: 422, reason: expect.stringContaining("--allow-path") })
    const proc = "  - urls: { file: /proc/self/environ }\n  - write: { jsonl: x.jsonl }\n"
    expect(yield* refusalOf(proc, {})).toMatchObject({
      status: 422,
      reason: expect.stringContaining("cannot be read by any definition")
    })
  })
})

describe("The list of definitions", () => {
  live("reads a definition again only when its file has changed", function* () {
    const project = yield* tempDir
    const write = (description: string, changed: number) => {
      const text = `version: 1\nname: p\ndescription: ${description}\nsteps:\n  - urls: [http://x.example]\n`
      writeFileSync(join(project, "p.yaml"), text)
      utimesSync(join(project, "p.yaml"), changed, changed)
    }
    const now = Math.floor(Date.now() / 1000)
    write("one", now - 60)
    const descriptions = Effect.map(list, ({ definitions }) =>
      definitions.map((line) => ("description" in line ? line.description : undefined))
    )
    const seen = Effect.gen(function* () {
      const first = yield* descriptions
      write("two", now - 60)
      const same = yield* descriptions
      write("two", now - 30)
      const changed = yield* descriptions
      // Another change in the same moment may have the same time.
      write("six", now + 60)
      const recent = yield* descriptions
      write("ten", now + 60)
      const again = yield* descriptions
      rmSync(join(project, "p.yaml"))
      return [first, same, changed, recent, again, yield* descriptions]
    })
    expect(yield* provided(seen, project, false)).toEqual([["one"], ["one"], ["two"], ["six"], ["ten"], []])
  })

  live("has what is known so far while others are being checked", function* () {
    const project = yield* tempDir
    const write = (name: string, changed: number) => {
      writeFileSync(join(project, `${name}.yaml`), `version: 1\nname: ${name}\nsteps:\n  - urls: [http://x.example]\n`)
      utimesSync(join(project, `${name}.yaml`), changed, changed)
    }
    const now = Math.floor(Date.now() / 1000)
    write("a", now - 60)
    const names = Effect.map(listWithin(1), ({ checking, definitions }) => [
      checking,
      ...definitions.map(({ name }) => name)
    ])
    const seen = Effect.gen(function* () {
      yield* list
      write("b", now - 60)
      const { turn } = yield* CheckedFiles
      const early = yield* turn.withPermits(1)(names)
      return [early, (yield* list).definitions.map(({ name }) => name), yield* names]
    })
    expect(yield* provided(seen, project, false)).toEqual([
      [1, "a"],
      ["a", "b"],
      [0, "a", "b"]
    ])
  })

  live("follows links inside the folder only, in the order of the paths", function* () {
    const [project, outside] = [yield* tempDir, yield* tempDir]
    const text = "version: 1\nname: p\nsteps:\n  - urls: [http://x.example]\n"
    mkdirSync(join(project, "b"))
    for (const file of [join(project, "z.yaml"), join(project, "b", "y.yaml"), join(outside, "o.yaml")]) {
      writeFileSync(file, text)
    }
    symlinkSync(join(outside, "o.yaml"), join(project, "a.yaml"))
    symlinkSync(outside, join(project, "c"))
    symlinkSync(join(project, "z.yaml"), join(project, "d.yaml"))
    const files = Effect.map(list, ({ definitions }) => definitions.map(({ file }) => file))
    expect(yield* provided(files, project, false)).toEqual(["b/y.yaml", "d.yaml", "z.yaml"])
  })
})
