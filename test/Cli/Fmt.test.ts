import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { formatYaml } from "../../src/Pipeline/Format.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText } from "./Project.ts"

const messy = "name: a\nversion:   1 # the only one\nsteps:\n  - urls:   [https://example.com/]\n"
const tidy = "version: 1 # the only one\nname: a\nsteps:\n  - urls: [https://example.com/]\n"

describe("sluice fmt", () => {
  scoped("prints a definition in order, and touches no file", function* () {
    const path = yield* folderOf({ "a.yaml": messy })
    expect(yield* sluice(["fmt", `${path}/a.yaml`])).toEqual({ code: 0, out: tidy, err: "" })
    expect(yield* readText(`${path}/a.yaml`)).toBe(messy)
  })

  scoped("names with --check what is not formatted, and ends with 6; --write puts it right", function* () {
    const path = yield* folderOf({ "a.yaml": messy, "b.yaml": tidy, "c.json": '{"name":"c","version":1,"steps":[]}' })
    expect(yield* sluice(["fmt", path, "--check"])).toEqual({
      code: 6,
      out: `${path}/a.yaml\n${path}/c.json\n`,
      err: "error: 2 files are not formatted. Run: sluice fmt --write\n"
    })
    expect((yield* sluice(["fmt", path, "--write"])).out).toBe(`${path}/a.yaml\n${path}/c.json\n`)
    expect(yield* readText(`${path}/a.yaml`)).toBe(tidy)
    expect(yield* readText(`${path}/c.json`)).toBe('{\n  "version": 1,\n  "name": "c",\n  "steps": []\n}\n')
    expect(yield* sluice(["fmt", path, "--check"])).toEqual({ code: 0, out: "", err: "" })
    expect((yield* sluice(["fmt", path, "--write"])).err).toBe("3 definitions are formatted already\n")
  })

  scoped("converts, beside the file or to stdout, and overwrites nothing that says something else", function* () {
    const path = yield* folderOf({ "a.yaml": tidy })
    const ts = (yield* sluice(["fmt", `${path}/a.yaml`, "--to", "ts"])).out
    expect(ts).toBe(
      'import { definePipeline } from "sluice/promise"\n\nexport default definePipeline({\n  version: 1,\n  name: "a",\n  steps: [\n    { urls: ["https://example.com/"] }\n  ]\n})\n'
    )
    expect((yield* sluice(["fmt", `${path}/a.yaml`, "--to", "json", "--write"])).out).toBe(`${path}/a.json\n`)
    expect(JSON.parse(yield* readText(`${path}/a.json`)).name).toBe("a")
    expect((yield* sluice(["fmt", `${path}/a.json`, "--to", "yaml"])).out).toBe(tidy.replace(" # the only one", ""))
    const refused = yield* sluice(["fmt", `${path}/a.json`, "--to", "yaml", "--write"])
    expect([refused.code, refused.out]).toEqual([1, ""])
    expect(refused.err).toContain("a.yaml: it already exists with other contents")
    expect(yield* list(path)).toEqual(["a.json", "a.yaml"])
  })

  scoped("says what it cannot do", function* () {
    const path = yield* folderOf({ "a.yaml": tidy, "b.yaml": tidy, "c.yaml": "a: [", "d.ts": "export default {}\n" })
    expect((yield* sluice(["fmt", `${path}/a.yaml`, `${path}/b.yaml`])).err).toContain("use --write or --check")
    const broken = yield* sluice(["fmt", `${path}/c.yaml`])
    expect(broken.code).toBe(78)
    expect(broken.err).toContain("c.yaml:")
    expect((yield* sluice(["fmt", `${path}/d.ts`])).err).toContain("--to yaml or --to json converts it")
    expect((yield* sluice(["fmt", `${path}/gone.yaml`])).code).toBe(78)
    expect((yield* sluice(["fmt", `${path}/a.yaml`, "--to", "toml"])).code).toBe(2)
  })

  it("has nothing to do in pipelines/ and in the definitions of the tutorial", () => {
    const folder = new URL("../../pipelines/", import.meta.url)
    const definitions = readdirSync(folder)
      .filter((name) => /(?<!\.test)\.yaml$/.test(name))
      .map((name) => readFileSync(new URL(name, folder), "utf8"))
    const tutorial = readFileSync(new URL("../../docs/tutorial.md", import.meta.url), "utf8")
    const blocks = [...tutorial.matchAll(/```yaml[^\n]*\n(.*?)```/gs)]
      .map(([, text = ""]) => text)
      .filter((text) => /^version: 1$/m.test(text) && /^steps:/m.test(text))
    expect([definitions.length, blocks.length].every((count) => count > 0)).toBe(true)
    for (const text of [...definitions, ...blocks]) expect(Effect.runSync(formatYaml("p.yaml", text))).toBe(text)
  })
})
