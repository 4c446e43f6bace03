import * as FileSystem from "@effect/platform/FileSystem"
import { catalogue } from "../../src/Settings.ts"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"

describe("sluice init", () => {
  scoped("writes a pipeline without mistakes, every setting, and what git should not see", function* () {
    const files = yield* FileSystem.FileSystem
    const root = `${yield* files.makeTempDirectoryScoped()}/new/project`
    const { code, err, out } = yield* sluice(["init", root])
    expect([code, err]).toEqual([0, ""])
    expect(out).toContain(`Next: cd ${root} && npx sluice run pipelines/first.yaml`)
    expect((yield* sluice(["check", `${root}/pipelines`])).out).toBe("1 pipeline is fine\n")
    expect(yield* sluice(["fmt", "--check", `${root}/pipelines`])).toEqual({ code: 0, out: "", err: "" })
    const settings = yield* files.readFileString(`${root}/config/example.env`)
    for (const { env } of Object.values(catalogue)) expect(settings).toContain(`#${env}=`)
    expect(yield* files.readFileString(`${root}/.gitignore`)).toBe("node_modules/\n.sluice/\n.env\n*.partial\n")
    expect(JSON.parse(yield* files.readFileString(`${root}/.vscode/extensions.json`))).toEqual({
      recommendations: ["redhat.vscode-yaml"]
    })
    const [modeline = ""] = (yield* files.readFileString(`${root}/pipelines/first.yaml`)).split("\n")
    const schema = modeline.replace("# yaml-language-server: $schema=", "")
    expect(yield* files.exists(`${root}/pipelines/${schema}`)).toBe(true)
    for (const name of ["pipeline", "test"]) {
      expect(JSON.parse(yield* files.readFileString(`${root}/.sluice/${name}.schema.json`))).toHaveProperty("$schema")
    }
  })

  scoped("leaves what is there, says so, and adds only what .gitignore lacks", function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* files.makeTempDirectoryScoped()
    yield* files.makeDirectory(`${root}/pipelines`)
    yield* files.writeFileString(`${root}/pipelines/first.yaml`, "mine")
    yield* files.writeFileString(`${root}/.gitignore`, "node_modules\n.sluice")
    const first = yield* sluice(["init", root])
    expect(first.out).toMatch(/first\.yaml +there already, left as it is/)
    expect(first.out).toMatch(/\.gitignore +extended/)
    expect(yield* files.readFileString(`${root}/pipelines/first.yaml`)).toBe("mine")
    expect(yield* files.readFileString(`${root}/.gitignore`)).toBe("node_modules\n.sluice\n.env\n*.partial\n")
    const again = yield* sluice(["init", root])
    expect(again.code).toBe(0)
    expect(again.out).not.toMatch(/written|extended/)
    expect(yield* files.readFileString(`${root}/.gitignore`)).toBe("node_modules\n.sluice\n.env\n*.partial\n")
  })

  scoped("says what is in the way and what to do", function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* files.makeTempDirectoryScoped()
    yield* files.writeFileString(`${root}/file`, "")
    const { code, err } = yield* sluice(["init", `${root}/file`])
    expect(code).toBe(1)
    expect(err).toBe(
      `error: cannot use ${root}/file/pipelines: a part of the path is a file. Give a folder that you may write to: sluice init DIR\n`
    )
  })
})
