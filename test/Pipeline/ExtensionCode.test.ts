/** The code of a definition's extensions: when it is imported, what identifies it, and what it may be given. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Permissions } from "../../src/Permissions.ts"
import { type CheckOptions, check, definitionHash } from "../../src/Pipeline/Check.ts"
import { resourcesOf } from "../../src/Pipeline/Resources.ts"
import { ofValue, parseText, read } from "../../src/Pipeline/Source.ts"
import * as Pipeline from "../../src/Pipeline.ts"
import * as Step from "../../src/Step/Custom.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** A module that makes the file `ran` beside it when it is imported. */
const module = (key: string, more = "") => `import { writeFileSync } from "node:fs"
import * as Effect from "${root}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Step } from "${program("index")}"
${more}
writeFileSync(new URL("ran", import.meta.url), "")
export const own = Step.make({
  key: "${key}",
  summary: "Does nothing.",
  example: "${key}: a",
  config: Schema.Struct({ of: Schema.String }),
  behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
})
`

const text = (key: string) =>
  `version: 1\nname: t\nextensions: ./steps.mts\nsteps:\n  - urls: [https://a.example/]\n  - ${key}: { of: url }\n`

const options = {
  env: {},
  secrets: () => Redacted.make("t"),
  inputs: {},
  complete: true,
  allowCode: true
} satisfies CheckOptions

const checkIn = (folder: string, definition: string, more: Partial<CheckOptions> = {}) =>
  Effect.flatMap(parseText("p.yaml", folder, definition), (source) => check(source, { ...options, ...more }))

const checkValue = (value: unknown, folder = "/tmp") =>
  Effect.flatMap(ofValue("the definition", folder, value), (source) => check(source, options))

const messagesOf = <A, E extends { readonly issues: ReadonlyArray<{ readonly message: string }> }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ issues }) => issues.map(({ message }) => message))

const ran = (folder: string): boolean => {
  const isThere = existsSync(`${folder}/ran`)
  rmSync(`${folder}/ran`, { force: true })
  return isThere
}

describe("the module of extensions", () => {
  scoped.skipIf(skipsLong)("is not imported when it is not the code that the run began with", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/steps.mts`, module("hum"))
    const expected = definitionHash(yield* checkIn(folder, text("hum")))
    expect(ran(folder)).toBe(true)
    writeFileSync(`${folder}/steps.mts`, `${module("hum")}// changed\n`)
    expect(yield* messagesOf(checkIn(folder, text("hum"), { definitionHash: expected }))).toEqual([
      expect.stringContaining("--with-current")
    ])
    expect(ran(folder)).toBe(false)
    writeFileSync(`${folder}/steps.mts`, module("hum"))
    yield* checkIn(folder, text("hum"), { definitionHash: expected })
  })

  scoped("is not imported unless the caller allows code", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/steps.mts`, module("hush"))
    expect(yield* messagesOf(checkIn(folder, text("hush"), { allowCode: undefined }))).toEqual([
      "runs code of the project (./steps.mts): read it, and allow it with --allow-code"
    ])
    expect(ran(folder)).toBe(false)
  })

  scoped.skipIf(skipsLong)("is identified together with the files that it imports by relative paths", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/inner.mts`, 'export const key = "first"\n')
    writeFileSync(`${folder}/helper.mts`, 'export { key } from "./inner.mjs"\n')
    const code = module("own", 'import { key } from "./helper.mts"').replace('key: "own"', "key")
    writeFileSync(`${folder}/steps.mts`, code)
    const before = yield* checkIn(folder, text("first"))
    writeFileSync(`${folder}/inner.mts`, 'export const key = "second"\n')
    // The changed file is part of what is imported, too.
    const after = yield* checkIn(folder, text("second"))
    expect(after.registry?.hash).not.toBe(before.registry?.hash)
  })

  scoped.skipIf(skipsLong)("is imported again after an import that failed", function* () {
    const folder = yield* tempDir
    writeFileSync(
      `${folder}/steps.mts`,
      module(
        "late",
        `import { existsSync } from "node:fs"
if (!existsSync(new URL("data.json", import.meta.url))) throw new Error("no data")`
      )
    )
    expect(yield* messagesOf(checkIn(folder, text("late")))).toEqual([expect.stringContaining("no data")])
    writeFileSync(`${folder}/data.json`, "{}")
    expect((yield* checkIn(folder, text("late"))).nodes.length).toBe(2)
  })

  scoped("is among the files that the definition reads", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/steps.mts`, module("hum"))
    const { reads } = yield* resourcesOf(yield* checkIn(folder, text("hum")), undefined)
    expect(reads).toEqual([`${folder}/steps.mts`])
  })
})

describe("a definition in code", () => {
  scoped("is read again when a file that it imports has changed", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/name.mjs`, 'export const name = "before"\n')
    writeFileSync(`${folder}/p.mjs`, 'import { name } from "./name.mjs"\nexport default { version: 1, name }\n')
    expect((yield* read(`${folder}/p.mjs`)).value).toMatchObject({ name: "before" })
    writeFileSync(`${folder}/name.mjs`, 'export const name = "after"\n')
    expect((yield* read(`${folder}/p.mjs`)).value).toMatchObject({ name: "after" })
  })
})

describe("extensions of a program", () => {
  const call = Step.make({
    key: "call",
    summary: "Calls an address.",
    example: "call: { to: https://a.example/, headers: { Authorization: x } }",
    config: Schema.Struct({
      to: Schema.optional(Schema.String),
      url: Schema.optional(Schema.String),
      headers: Schema.Record({ key: Schema.String, value: Schema.String })
    }),
    headers: ["headers"],
    behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
  })
  const frame = { version: 1, name: "t", steps: [{ urls: ["https://a.example/"] }] } as const

  scoped("cannot stand beside a module", function* () {
    const both = Pipeline.make({ ...frame, extensions: "./nowhere.ts" }, { steps: [call] })
    expect(yield* messagesOf(checkValue(both))).toEqual([expect.stringContaining("./nowhere.ts")])
  })

  scoped("are not named in the text of the definition when there are none", function* () {
    for (const none of [{}, { steps: [], sinks: [] }]) {
      const { source } = yield* checkValue(Pipeline.make(frame, none))
      expect(source.value).toEqual(frame)
      expect((yield* checkIn("/tmp", source.text)).nodes.length).toBe(1)
    }
  })

  scoped("get a secret that is bound to hosts only with an address that is known before the run", function* () {
    const headers = { Authorization: "${{ secrets.KEY }}" }
    const checkCall = (config: object) =>
      checkValue({ ...Pipeline.make(frame, { steps: [call] }), steps: [...frame.steps, { call: config }] }).pipe(
        Effect.provideService(Permissions, {
          ...Permissions.defaultValue(),
          hosts: new Map([["KEY", [{ hosts: ["a.example"], file: "config/secrets.json" }]]])
        })
      )
    expect(yield* messagesOf(checkCall({ to: "https://b.example/", headers }))).toEqual([
      expect.stringContaining("the secret KEY is bound to hosts")
    ])
    expect(yield* messagesOf(checkCall({ url: "https://b.example/", headers }))).toEqual([
      expect.stringContaining("would be sent to b.example")
    ])
    expect((yield* checkCall({ url: "https://a.example/", headers })).nodes.length).toBe(2)
  })

  scoped("names the installed Effect where a step is made with another major version", function* () {
    const folder = yield* tempDir
    mkdirSync(`${folder}/node_modules/effect`, { recursive: true })
    writeFileSync(`${folder}/node_modules/effect/package.json`, '{ "name": "effect", "version": "4.1.0" }')
    const advice =
      "steps and sinks need Effect 3, but this file imports effect 4.1.0. Run: npm install effect@3, or write a function for the step `use`"
    writeFileSync(`${folder}/steps.mts`, 'export const own = { key: "own", config: {} }\n')
    expect(yield* messagesOf(checkIn(folder, text("own")))).toEqual([
      expect.stringMatching(new RegExp(`^\\./steps\\.mts exports no step, .*: ${advice}$`))
    ])
    writeFileSync(`${folder}/steps.mts`, "const s: { annotations?: () => void } = {}\ns.annotations!()\n")
    expect(yield* messagesOf(checkIn(folder, text("own")))).toEqual([
      `./steps.mts cannot be loaded: s.annotations is not a function: ${advice}`
    ])
  })
})
