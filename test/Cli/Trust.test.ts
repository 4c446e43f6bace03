/** The project that a command is called in: which bindings of secrets hold there, and what it trusts in `/` and the home folder. */
import { mkdirSync, symlinkSync } from "node:fs"
import { homedir } from "node:os"
import * as Effect from "effect/Effect"
import { granted } from "../../src/Cli/Trust.ts"
import { forDefinition, whyNotNamed, whyNotRead, whyNotSent, whyNotWritten } from "../../src/Permissions.ts"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const sending = (url: string) => `version: 1
name: p
steps:
  - urls: ["${url}"]
  - scrape: { url: "${url}", headers: { Authorization: "\${{ secrets.TOKEN }}" } }
  - write: { jsonl: rows.jsonl }
`

const bound = (...hosts: ReadonlyArray<string>) => `secrets: { TOKEN: { hosts: [${hosts.join(", ")}] } }\n`

/** Checks a definition in a folder below that of the files. */
const check = (files: Record<string, string>, { at = "", url = "https://evil.example/" } = {}) =>
  Effect.gen(function* () {
    const root = yield* folderOf({ "package.json": "{}", [`${at}p.yaml`]: sending(url), ...files })
    return yield* sluice(["check", `${root}/${at}p.yaml`], { cwd: `${root}/${at}`, env: { TOKEN: "sentinel-token" } })
  })

describe("bindings of secrets", () => {
  scoped("are read from .yml as well as .yaml", function* () {
    for (const name of ["hosts.yml", "hosts.YAML"]) {
      const { code, out } = yield* check({ [`config/${name}`]: bound("a.example") })
      expect([name, code]).toEqual([name, 78])
      expect(out).toContain(`add it to \`hosts\` of TOKEN in config/${name}`)
    }
  })

  scoped("hold in projects within the project, and the narrower one wins", function* () {
    const outer = { "config/hosts.yaml": bound("a.example", "b.example") }
    for (const own of [{ "sub/package.json": "{}" }, { "sub/config/other.yaml": "log: json\n" }]) {
      const { code, out } = yield* check({ ...outer, ...own }, { at: "sub/" })
      expect(code, out).toBe(78)
      expect(out).toContain("is bound to a.example, b.example")
      expect((yield* check({ ...outer, ...own }, { at: "sub/", url: "https://a.example/" })).code).toBe(0)
    }
    const narrow = { ...outer, "sub/config/hosts.yaml": bound("b.example", "c.example") }
    const codes: Array<number> = []
    for (const host of ["a", "b", "c"])
      codes.push((yield* check(narrow, { at: "sub/", url: `https://${host}.example/` })).code)
    expect(codes).toEqual([78, 0, 78])
  })

  scoped("that cannot be read end the command instead of binding nothing", function* () {
    const root = yield* folderOf({ "package.json": "{}", "p.yaml": sending("https://evil.example/") })
    const run = sluice(["check", `${root}/p.yaml`], { cwd: root, env: { TOKEN: "sentinel-token" } })
    mkdirSync(`${root}/config/`)
    expect((yield* run).code).toBe(0)
    symlinkSync(`${root}/nowhere.yaml`, `${root}/config/hosts.yaml`)
    const dangling = yield* run
    expect([dangling.code, dangling.err]).toEqual([78, expect.stringMatching(/config\/hosts\.yaml.*cannot be read/)])
    const second = yield* folderOf({ "package.json": "{}", "p.yaml": sending("https://evil.example/") })
    mkdirSync(`${second}/config/hosts.yaml`, { recursive: true })
    const folder = yield* sluice(["check", `${second}/p.yaml`], { cwd: second, env: { TOKEN: "sentinel-token" } })
    expect([folder.code, folder.err]).toEqual([78, expect.stringContaining("cannot be read")])
  })

  scoped("take a secret over https only, except to this machine", function* () {
    const config = { "config/hosts.yaml": bound("a.example", "127.0.0.1", "localhost", '"[::1]"') }
    const { code, out } = yield* check(config, { url: "http://a.example/" })
    expect(code).toBe(78)
    expect(out).toMatch(/TOKEN.*https/)
    for (const url of ["https://a.example/", "http://127.0.0.1:8080/", "http://localhost/", "http://[::1]/"])
      expect((yield* check(config, { url })).out).toBe("1 pipeline is fine\n")
  })
})

describe("the home folder and the root of the disk", () => {
  const home = homedir()
  const at = (cwd: string, file: string) =>
    Effect.map(granted({ out: undefined }, { cwd, env: {} }), (value) => forDefinition(value, file))

  scoped("are no project: a definition there reads what is below its own folder", function* () {
    for (const [cwd, below] of [
      [home, `${home}/no-such-downloads`],
      ["/", "/no-such-folder"]
    ] as const) {
      const value = yield* at(cwd, `${below}/x.yaml`)
      expect(whyNotRead(value, `${below}/site/a.html`)).toBeUndefined()
      for (const file of [`${home}/.ssh/id_rsa`, `${home}/notes.txt`, "/etc/passwd"])
        expect(whyNotRead(value, file)).toContain("folder of their own")
      expect(whyNotNamed(value, "REGION")).toContain("--allow-env REGION")
    }
  })

  scoped("give a definition that lies directly in them no file, and no hidden one to write", function* () {
    for (const cwd of [home, "/"]) {
      const value = yield* at(cwd, `${cwd}/x.yaml`)
      expect(whyNotRead(value, `${cwd}/rows.jsonl`)).toContain("folder of their own")
      expect(whyNotWritten(value, `${cwd}/rows.jsonl`, cwd)).toContain("choose a folder outside")
      expect(whyNotWritten({ ...value, pipeline: "x" }, `${cwd}/out/x/rows.jsonl`, cwd)).toBeUndefined()
      for (const file of [".bashrc", ".ssh/authorized_keys"])
        expect(whyNotWritten(value, `${cwd}/${file}`, cwd)).toContain("hidden")
    }
  })
})

describe("a secret that no binding names", () => {
  scoped("goes where the definition says", function* () {
    const value = yield* granted({}, { cwd: "/", env: {} })
    expect(whyNotSent(value, ["TOKEN"], "http://a.example/")).toBeUndefined()
  })
})
