import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { importModule } from "../../src/Step/ProjectCode.ts"
import { describe, expect, scoped } from "../It.ts"

const code =
  'import { name } from "./name.ts"\nconst said: string = name\nexport default { said }\nexport const own = 1\n'

const project = (manifest: string | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* files.makeTempDirectoryScoped()
    if (manifest !== undefined) yield* files.writeFileString(`${root}/package.json`, manifest)
    yield* files.writeFileString(`${root}/name.ts`, 'export const name: string = "first"\n')
    yield* files.writeFileString(`${root}/code.ts`, code)
    return { files, root }
  })

describe("code of a project", () => {
  for (const [where, manifest] of [
    ["a package of modules", '{ "type": "module" }'],
    ["a package as npm init makes it", '{ "type": "commonjs" }'],
    ["a package that says nothing of it", "{}"],
    ["a folder that is no package", undefined]
  ] as const) {
    scoped(`in TypeScript is loaded with its imports from ${where}, and again for another version`, function* () {
      const { files, root } = yield* project(manifest)
      expect(yield* importModule(`${root}/code.ts`)).toMatchObject({ default: { said: "first" }, own: 1 })
      yield* files.writeFileString(`${root}/code.ts`, code.replace("own = 1", "own = 2"))
      expect(yield* importModule(`${root}/code.ts`, "later")).toMatchObject({ default: { said: "first" }, own: 2 })
      expect(yield* importModule(`${root}/code.ts`)).toMatchObject({ own: 1 })
    })
  }

  scoped("in CommonJS gives its exports: one value, or several by name", function* () {
    const { files, root } = yield* project("{}")
    yield* files.writeFileString(`${root}/one.js`, "module.exports = () => 7\n")
    yield* files.writeFileString(`${root}/some.cjs`, "exports.double = (n) => 2 * n\n")
    const one = yield* importModule(`${root}/one.js`)
    expect((one.default as () => number)()).toBe(7)
    const { double } = yield* importModule(`${root}/some.cjs`)
    expect((double as (n: number) => number)(4)).toBe(8)
  })

  scoped("that is no TypeScript is reported with the place of the mistake", function* () {
    for (const manifest of ["{}", '{ "type": "module" }']) {
      const { files, root } = yield* project(manifest)
      yield* files.writeFileString(`${root}/torn.ts`, "export default [\n  { b: 1 ]\n")
      yield* files.writeFileString(`${root}/outer.ts`, 'import "./torn.ts"\n')
      for (const name of ["torn", "outer"])
        expect((yield* Effect.flip(importModule(`${root}/${name}.ts`))).message, manifest).toMatch(
          /^cannot be loaded: \S*torn\.ts:2:9: Expected "\}" but found "\]"$/
        )
    }
  })

  scoped("that throws, or imports a missing module, is reported in one line", function* () {
    const { files, root } = yield* project("{}")
    yield* files.writeFileString(`${root}/throws.ts`, "throw new Error('no pump\\nhere')\n")
    yield* files.writeFileString(`${root}/lost.ts`, 'import { a } from "./nowhere.ts"\nexport default a\n')
    expect((yield* Effect.flip(importModule(`${root}/throws.ts`))).message).toBe("cannot be loaded: no pump")
    expect((yield* Effect.flip(importModule(`${root}/lost.ts`))).message).toMatch(
      /^cannot be loaded: Cannot find module '\S*nowhere\.ts'$/
    )
  })
})
