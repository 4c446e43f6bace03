import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ensureReadable, list } from "../../src/Dashboard/Definitions.ts"
import { Setup } from "../../src/Dashboard/Setup.ts"
import { Permissions } from "../../src/Permissions.ts"
import { tempDir } from "../Local.ts"

/** As in the dashboard of a project. */
const provided = <A, E, R>(effect: Effect.Effect<A, E, R>, project: string, code: boolean) =>
  effect.pipe(
    Effect.provideService(Setup, {
      dataDir: join(project, "data"),
      definitions: existsSync(join(project, "pipelines")) ? join(project, "pipelines") : project,
      out: project,
      scope: { env: { REGION: "eu" }, secrets: () => undefined },
      service: undefined,
      command: [],
      words: [],
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

/** What the dashboard of a project answers for a saved run; undefined where it may be resumed or replayed. */
const refusalOf = (steps: string, inputs: Readonly<Record<string, string>>, code = false) =>
  Effect.gen(function* () {
    const project = yield* tempDir
    mkdirSync(join(project, "pipelines"))
    writeFileSync(join(project, "pipelines", "rows.jsonl"), '{"n":1}\n')
    writeFileSync(join(project, "pipelines", "steps.mjs"), "export const steps = []\n")
    const definition = `version: 1\nname: p\ninputs: { file: { type: path, default: rows.jsonl } }\nsteps:\n${steps}`
    const read = ensureReadable({ definition, file: join(project, "pipelines", "p.yaml"), inputs })
    return yield* provided(
      Effect.orElseSucceed(Effect.flip(read), () => undefined),
      project,
      code
    )
  }).pipe(Effect.provide(NodeContext.layer))

const reading = '  - read: "${{ inputs.file }}"\n'

describe("A saved run that the dashboard is to go on with", () => {
  it.scoped("says how to start a definition whose extensions are code, which the dashboard does not run", () =>
    Effect.gen(function* () {
      const refused = yield* refusalOf(`${reading}extensions: ./steps.ts\n`, {})
      expect(refused?.reason).toContain(
        "start or resume the run on the command line, or start the dashboard, with --allow-code"
      )
    })
  )

  it.scoped("loads code of the project only where the dashboard was started with --allow-code", () =>
    Effect.gen(function* () {
      const steps = `${reading}  - write: { jsonl: x.jsonl }\nextensions: ./steps.mjs\n`
      const refused = yield* refusalOf(steps, { file: "rows.jsonl" })
      expect(refused?.reason).toContain("or start the dashboard, with --allow-code")
      // The module has been loaded.
      const loaded = yield* refusalOf(steps, { file: "rows.jsonl" }, true)
      expect(loaded?.reason).toContain("./steps.mjs exports no step and no sink")
    })
  )

  it.scoped("is listed without running code of the project, whatever the dashboard may run", () =>
    Effect.gen(function* () {
      const project = yield* tempDir
      const module = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(join(project, "ran"))}, "")\n`
      writeFileSync(join(project, "steps.mjs"), module)
      const steps = "steps:\n  - own: {}\n  - write: { jsonl: x.jsonl }\n"
      writeFileSync(join(project, "p.yaml"), `version: 1\nname: p\nextensions: ./steps.mjs\n${steps}`)
      const [line] = (yield* provided(list, project, true)).definitions
      expect(line).toEqual(expect.objectContaining({ file: "p.yaml", name: "p", mistakes: [] }))
      expect(existsSync(join(project, "ran"))).toBe(false)
      const [refused] = (yield* provided(list, project, false)).definitions
      expect(refused?.mistakes[0]?.message).toContain("or start the dashboard, with --allow-code")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is read with its inputs as they were settled then, and refused where it writes to standard output", () =>
    Effect.gen(function* () {
      const refused = yield* refusalOf(`${reading}  - write: { jsonl: "-" }\n`, { file: "rows.jsonl" })
      expect(refused).toMatchObject({ status: 422, reason: expect.stringContaining("standard output") })
      expect(yield* refusalOf(`${reading}  - write: { jsonl: x.jsonl }\n`, { file: "rows.jsonl" })).toBeUndefined()
    })
  )

  it.scoped("is refused with every mistake that its process would find", () =>
    Effect.gen(function* () {
      const outside = yield* refusalOf(`${reading}  - write: { jsonl: x.jsonl }\n`, { file: "/etc/rows.jsonl" })
      expect(outside).toMatchObject({ status: 422, reason: expect.stringContaining("--allow-path") })
      const proc = "  - urls: { file: /proc/self/environ }\n  - write: { jsonl: x.jsonl }\n"
      expect(yield* refusalOf(proc, {})).toMatchObject({ status: 422, reason: expect.stringContaining("never read") })
    })
  )
})
