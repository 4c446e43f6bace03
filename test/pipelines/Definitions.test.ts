import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { builtIn as steps } from "../../src/Pipeline/Extensions.ts"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { read } from "../../src/Pipeline/Source.ts"
import { describe, expect, scoped } from "../It.ts"

const folder = fileURLToPath(new URL("../../pipelines", import.meta.url))

const definitions = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = yield* files.readDirectory(folder)
  return names.filter((name) => /\.(ya?ml|json|ts)$/.test(name) && !/\.test\.\w+$/.test(name)).sort()
})

const checkFile = (name: string) =>
  Effect.flatMap(read(`${folder}/${name}`), (source) =>
    check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: false })
  )

describe("pipelines/", () => {
  scoped("holds definitions without a mistake, each named as its file", function* () {
    const names = yield* definitions
    expect(names.length).toBeGreaterThanOrEqual(11)
    for (const name of names) {
      const { frame } = yield* checkFile(name)
      expect(frame.name).toBe(name.replace(/\.\w+$/, ""))
      expect(frame.description ?? "").toMatch(/\.$/)
    }
  })

  scoped("uses every step that there is", function* () {
    const used = new Set<string>()
    for (const name of yield* definitions) {
      for (const node of (yield* checkFile(name)).nodes) used.add(node.step.key)
    }
    expect(steps.map(({ key }) => key).filter((key) => !used.has(key))).toEqual([])
  })

  scoped("shows the same crawl in YAML and in TypeScript", function* () {
    const yaml = yield* read(`${folder}/crawl-site.yaml`)
    const typescript = yield* read(`${folder}/crawl-site.ts`)
    expect(typescript.value).toEqual(yaml.value)
  })

  scoped("tells editors which schema the files follow", function* () {
    const files = yield* FileSystem.FileSystem
    const known = Object.keys(pipelineSchema().properties as object)
    for (const name of (yield* definitions).filter((each) => each.endsWith(".yaml"))) {
      const text = yield* files.readFileString(`${folder}/${name}`)
      expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=../.sluice/pipeline.schema.json")
      const { value } = yield* read(`${folder}/${name}`)
      expect(known).toEqual(expect.arrayContaining(Object.keys(value as object)))
    }
  })
})
