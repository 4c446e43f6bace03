/** A sink of a project's own, from `Sink.make` to the published file. */

import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { Pipeline } from "../../src/index.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { ofValue } from "../../src/Pipeline/Source.ts"
import { sluice } from "../Cli/Console.ts"
import { assert, describe, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { json } from "./JsonArray.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The sink as a project would have it, and a step that stops at row 250 until there is a file `go`. */
const module = () => `import { existsSync } from "node:fs"
import * as Effect from "${root}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Step } from "${program("index")}"

export { json } from "${root}test/Sink/JsonArray.ts"
export const gate = Step.make({
  key: "gate",
  summary: "Waits.",
  example: "gate: go",
  config: Schema.String,
  behaviour: {
    kind: "item",
    apply: (go, row) => (row.data.id < 250 || existsSync(go) ? Effect.succeed(row) : Effect.never)
  }
})
`

const definition = (go: string) => `version: 1
name: own-sink
extensions: ./extensions.mts
steps:
  - read: rows.jsonl
  - gate: ${go}
  - write: { json: "{kind}-{seq}.json", partitionBy: { kind: kind }, roll: { rows: 60 } }
    id: parts
  - write: { json: all.json.gz }
    id: zipped
  - write: { json: all.json, indent: 2 }
`

const checkValue = (value: unknown) =>
  Effect.flatMap(ofValue("the definition", "/tmp", value), (source) =>
    check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
  )

describe("a sink of a project's own", () => {
  scoped("is registered by a program, with the types of its fields", function* () {
    const checked = yield* checkValue(
      Pipeline.make(
        {
          version: 1,
          name: "t",
          steps: [{ urls: ["https://a.example/"] }, { write: { json: "x.json", indent: 2 } }]
        },
        { sinks: [json] }
      )
    )
    assert.deepStrictEqual(
      checked.nodes.map(({ step }) => step.key),
      ["urls", "write"]
    )
    const refused = Pipeline.make(
      {
        version: 1,
        name: "t",
        // @ts-expect-error There is no such field.
        steps: [{ urls: ["https://a.example/"] }, { write: { json: "x.json", intend: 2 } }]
      },
      { sinks: [json] }
    )
    const { issues } = yield* Effect.flip(checkValue(refused))
    assert.include(issues[0]?.message, 'did you mean "indent"?')
    const taken = Pipeline.make({ version: 1, name: "t", steps: [] }, { sinks: [{ ...json, key: "csv" }] })
    const conflict = yield* Effect.flip(checkValue(taken))
    assert.include(conflict.message, '"csv" is a sink of Sluice')
    const hidden = Pipeline.make({ version: 1, name: "t", steps: [] }, { sinks: [{ ...json, ownFields: ["csv"] }] })
    const shadow = yield* Effect.flip(checkValue(hidden))
    assert.include(shadow.message, 'the sink "json" has a field "csv", which is a sink')
  })

  scoped.skipIf(skipsLong)(
    "is named by a definition, and its files are whole after a SIGKILL and a resume",
    function* () {
      const folder = yield* tempDir
      writeFileSync(`${folder}/extensions.mts`, module())
      writeFileSync(`${folder}/p.yaml`, definition(`${folder}/go`))
      const rows = Array.from({ length: 400 }, (_, id) => ({ id, kind: "ab".charAt(id % 2) }))
      writeFileSync(`${folder}/rows.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
      const out = `${folder}/out`
      const data = ["--data", `${folder}/data`, "--allow-code", "--allow-path", folder]
      const words = [program("bin"), "run", `${folder}/p.yaml`, "--out", out, ...data]
      yield* Effect.promise(
        () =>
          new Promise<void>((killed) => {
            const child = spawn(process.execPath, words, { stdio: "ignore" })
            // Once a commit has written rows, others still wait.
            const timer = setInterval(() => {
              const files = existsSync(out) ? readdirSync(out) : []
              if (files.some((name) => statSync(`${out}/${name}`).size > 0)) child.kill("SIGKILL")
            }, 20)
            child.on("close", () => {
              clearInterval(timer)
              killed()
            })
          })
      )
      const left = readdirSync(out)
      assert.isAbove(left.length, 2)
      assert.deepStrictEqual(
        left.filter((name) => !name.endsWith(".partial")),
        []
      )
      writeFileSync(`${folder}/go`, "")
      const resumed = yield* sluice(["resume", ...data], { cwd: folder })
      assert.strictEqual(resumed.code, 0, resumed.err)
      const parsed = (name: string): ReadonlyArray<{ readonly id: number }> =>
        JSON.parse(readFileSync(`${out}/${name}`, "utf8"))
      const names = readdirSync(out).sort()
      assert.deepStrictEqual(
        names,
        [
          "all.json",
          "all.json.gz",
          ...["a", "b"].flatMap((kind) => [1, 2, 3, 4].map((n) => `${kind}-0000${n}.json`))
        ].sort()
      )
      assert.deepStrictEqual(parsed("all.json"), rows)
      assert.deepStrictEqual(JSON.parse(gunzipSync(readFileSync(`${out}/all.json.gz`)).toString()), rows)
      const parts = names.filter((name) => name.startsWith("a-") || name.startsWith("b-"))
      assert.deepStrictEqual(
        parts.flatMap(parsed).toSorted((a, b) => a.id - b.id),
        rows
      )
    }
  )
})
