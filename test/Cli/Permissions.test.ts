import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText, writeText } from "./Project.ts"

const definition = (steps: string, head = "") => `version: 1\nname: p\n${head}steps:\n${steps}\n`

/** A project with one definition, and beside it a folder that does not belong to it. */
const ground = (steps: string, { head = "", files = {} }: { head?: string; files?: Record<string, string> } = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderOf({
      "project/package.json": "{}",
      "project/rows.jsonl": '{"n":1}\n',
      "project/inside.txt": "https://example.com/\n",
      "project/p.yaml": definition(steps, head),
      "elsewhere/p.yaml": definition(steps, head),
      "elsewhere/rows.jsonl": '{"secret":1}\n',
      "elsewhere/urls.txt": "https://example.com/secret\n",
      ...files
    })
    const project = `${folder}/project`
    const run = (file: string, ...words: ReadonlyArray<string>) =>
      sluice(["run", file, "--data", `${folder}/data`, "--out", `${folder}/out`, ...words], {
        cwd: project,
        env: { PGPASSWORD: "hunter2", DATABASE_URL: "postgres://u:hunter2@db/x", REGION: "eu" }
      })
    return { folder, project, run, own: `${project}/p.yaml`, foreign: `${folder}/elsewhere/p.yaml` }
  })

const written = "  - write: { jsonl: rows.jsonl }"

describe("the environment", () => {
  scoped("a definition from elsewhere reads no variable that it was not allowed", function* () {
    const { foreign, run } = yield* ground(`  - urls: ["https://example.com/?\${{ env.REGION }}"]\n${written}`)
    const refused = yield* run(foreign)
    expect(refused.code).toBe(78)
    expect(refused.err).toMatch(
      /elsewhere\/p\.yaml:4:\d+ .*may not read the variable REGION.*outside the project.*--allow-env REGION/s
    )
    expect((yield* run(foreign, "--allow-env", "REGION")).code).toBe(0)
    expect((yield* run(foreign, "--allow-env", "OTHER")).code).toBe(78)
  })

  scoped("a definition of the project reads variables by their names, but no password as plain text", function* () {
    const { own, run } = yield* ground(`  - urls: ["https://example.com/?\${{ env.REGION }}"]\n${written}`)
    expect((yield* run(own)).code).toBe(0)
    for (const name of ["PGPASSWORD", "DATABASE_URL"]) {
      const steal = yield* ground(
        `  - urls: ["https://example.com/?\${{ $encodeUrlComponent(env.${name}) }}"]\n${written}`
      )
      const refused = yield* steal.run(steal.own)
      expect(refused.code).toBe(78)
      expect(refused.err).toContain(`\${{ secrets.${name} }}`)
      expect(refused.err).not.toContain("hunter2")
    }
  })
})

const reads: ReadonlyArray<readonly [what: string, steps: string]> = [
  ["/proc as a list of addresses", `  - urls: { file: /proc/self/environ }\n${written}`],
  ["/proc through its own root", `  - read: { file: /proc/self/root/etc/hosts, format: csv }\n${written}`],
  ["/proc as files", `  - files: { glob: "/proc/self/*" }\n${written}`],
  ["a device", `  - read: { file: /dev/stdin, format: jsonl }\n${written}`],
  ["an open file of the process", `  - read: { file: /dev/fd/0, format: jsonl }\n${written}`],
  ["an absolute path", `  - read: { file: /etc/passwd, format: csv }\n${written}`],
  ["a path that leads up", `  - read: ../elsewhere/rows.jsonl\n${written}`],
  ["a list above the project", `  - urls: { file: ../elsewhere/urls.txt }\n${written}`],
  ["a pattern that leads up", `  - files: { glob: "../elsewhere/*" }\n${written}`],
  ["one of two patterns", `  - files: { glob: ["*.jsonl", "../elsewhere/*"] }\n${written}`],
  ["a file to join", `  - read: rows.jsonl\n  - join: { file: ../elsewhere/rows.jsonl, on: n }\n${written}`],
  ["a link to a file", `  - read: link.jsonl\n${written}`],
  ["a folder that is a link", `  - read: linked/rows.jsonl\n${written}`],
  ["a link found by a pattern", `  - files: { glob: "link.*" }\n${written}`],
  ["a linked folder found by a pattern", `  - files: { glob: "**/urls.txt" }\n${written}`],
  ["a link to a device", `  - read: { file: device, format: jsonl }\n${written}`],
  ["the data folder", `  - read: { file: .sluice/keys.jsonl }\n${written}`],
  ["the data folder that was named", `  - read: { file: ../data/keys.jsonl }\n${written}`],
  ["a function", `  - read: rows.jsonl\n  - use: { module: ../elsewhere/f.js }\n${written}`],
  [
    "a lock file",
    `  - crawlPreview: { url: "https://example.com", prompt: all }\n    pin: ../elsewhere/p.lock.json\n${written}`
  ]
]

describe("files", () => {
  scoped("a definition of the project reads nothing outside of it, by whatever way", function* () {
    const { folder, own, project, run } = yield* ground(written, {
      files: { "data/keys.jsonl": '{"secret":1}\n', "project/.sluice/keys.jsonl": '{"secret":1}\n' }
    })
    symlinkSync(`${folder}/elsewhere/rows.jsonl`, `${project}/link.jsonl`)
    symlinkSync(`${folder}/elsewhere`, `${project}/linked`)
    symlinkSync("/dev/stdin", `${project}/device`)
    for (const [what, steps] of reads) {
      yield* writeText(own, definition(steps))
      const { err } = yield* run(own, "--allow-code")
      expect(err, what).toMatch(/outside the project|cannot be read by any definition/)
      const out = yield* Effect.orElseSucceed(readText(`${folder}/out/rows.jsonl`), () => "")
      expect(out, what).not.toContain("secret")
    }
  })

  scoped("a folder that was allowed is read, and links are followed first", function* () {
    const { folder, own, project, run } = yield* ground(`  - read: ../elsewhere/rows.jsonl\n${written}`)
    mkdirSync(`${project}/links`)
    symlinkSync(`${folder}/elsewhere`, `${project}/links/other`)
    expect((yield* run(own)).code).toBe(78)
    expect((yield* run(own, "--allow-path", `${project}/links/other`)).code).toBe(0)
    expect((yield* run(own, "--allow-path", `${tmpdir()}/../${basename(tmpdir())}`)).code).toBe(0)
  })

  scoped("/proc, /dev and the data folder are refused whatever is allowed", function* () {
    const { own, run } = yield* ground(written, {
      files: { "data/keys.jsonl": '{"secret":1}\n', "project/.sluice/keys.jsonl": '{"secret":1}\n' }
    })
    for (const file of ["/proc/self/environ", "/dev/stdin", ".sluice/keys.jsonl", "../data/keys.jsonl"]) {
      yield* writeText(own, definition(`  - read: { file: ${file}, format: jsonl }\n${written}`))
      const { code, err } = yield* run(own, "--allow-path", "/")
      expect([code, err], file).toEqual([78, expect.stringContaining("cannot be read by any definition")])
    }
  })

  scoped.skipIf(!existsSync("/dev/shm"))("a disk in memory below /dev is a folder as any other", function* () {
    const memory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync("/dev/shm/sluice-")),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
    writeFileSync(`${memory}/rows.jsonl`, '{"n":1}\n')
    const { own, run } = yield* ground(`  - read: ${memory}/rows.jsonl\n${written}`)
    const refused = yield* run(own)
    expect([refused.code, refused.err]).toEqual([78, expect.stringContaining("outside the project")])
    expect((yield* run(own, "--allow-path", memory)).code).toBe(0)
  })

  scoped("a definition from elsewhere reads only what was allowed, and not the project either", function* () {
    const { folder, foreign, run } = yield* ground(`  - read: rows.jsonl\n${written}`)
    const refused = yield* run(foreign)
    expect(refused.code).toBe(78)
    expect(refused.err).toMatch(/elsewhere\/p\.yaml:4:\d+ .*--allow-path/s)
    expect((yield* run(foreign, "--allow-path", `${folder}/elsewhere`)).code).toBe(0)
  })

  scoped("a link in the project to a definition outside of it is a definition from elsewhere", function* () {
    const { foreign, project, run } = yield* ground(`  - urls: ["https://example.com/?\${{ env.REGION }}"]\n${written}`)
    symlinkSync(foreign, `${project}/linked.yaml`)
    expect((yield* run(`${project}/linked.yaml`)).code).toBe(78)
  })

  scoped("a package that was installed is from elsewhere", function* () {
    const steps = `  - urls: ["https://example.com/?\${{ env.REGION }}"]\n${written}`
    const { project, run } = yield* ground(steps, {
      files: { "project/node_modules/other/p.yaml": definition(steps) }
    })
    expect((yield* run(`${project}/node_modules/other/p.yaml`)).code).toBe(78)
  })

  scoped("an input of the type path stays inside the project unless a folder is allowed", function* () {
    const { folder, own, run } = yield* ground(`  - read: "\${{ inputs.file }}"\n${written}`, {
      head: "inputs: { file: { type: path, default: rows.jsonl } }\n"
    })
    expect((yield* run(own)).code).toBe(0)
    const file = `file=${folder}/elsewhere/rows.jsonl`
    const refused = yield* run(own, "--input", file)
    expect(refused.code).toBe(78)
    expect(refused.err).toContain("--input file: ")
    expect(refused.err).toContain("--allow-path")
    expect((yield* run(own, "--input", file, "--allow-path", `${folder}/elsewhere`)).code).toBe(0)
  })

  scoped("a definition in code from elsewhere is not even loaded", function* () {
    const { folder, run } = yield* ground(written, {
      files: {
        "elsewhere/p.mjs": `import { writeFileSync } from "node:fs"\nwriteFileSync(new URL("ran", import.meta.url), "")\nexport default { version: 1, name: "p", steps: [{ urls: ["https://example.com"] }] }\n`
      }
    })
    const { code, err } = yield* run(`${folder}/elsewhere/p.mjs`)
    expect(code).toBe(78)
    expect(err).toContain("--allow-code")
    expect(yield* list(`${folder}/elsewhere`)).not.toContain("ran")
    expect((yield* run(`${folder}/elsewhere/p.mjs`, "--allow-code")).code).toBe(0)
  })

  scoped(
    "a folder that a pattern leads into and that is refused fails the run, and the last output stays",
    function* () {
      const { folder, own, project, run } = yield* ground(`  - files: { glob: "*/rows.jsonl" }\n${written}`)
      mkdirSync(`${project}/sub`)
      yield* writeText(`${project}/sub/rows.jsonl`, "{}\n")
      expect((yield* run(own)).code).toBe(0)
      const before = yield* readText(`${folder}/out/rows.jsonl`)
      expect(before).not.toBe("")
      symlinkSync(`${folder}/elsewhere`, `${project}/linked`)
      const refused = yield* run(own)
      expect(refused.code).not.toBe(0)
      expect(refused.err).toMatch(new RegExp(`outside the project .*--allow-path ${folder}/elsewhere\\b`))
      expect(yield* readText(`${folder}/out/rows.jsonl`)).toBe(before)
      expect((yield* run(own, "--allow-path", `${folder}/elsewhere`)).code).toBe(0)
      symlinkSync(`${folder}/elsewhere/urls.txt`, `${project}/link.jsonl`)
      yield* writeText(own, definition(`  - files: { glob: [rows.jsonl, "l[i]nk.jsonl"] }\n${written}`))
      expect((yield* run(own)).code).not.toBe(0)
      yield* writeText(own, definition(`  - files: { glob: ["*/rows.jsonl", "!linked/**"] }\n${written}`))
      expect((yield* run(own)).code).toBe(0)
    }
  )
})

const ways: ReadonlyArray<readonly [path: string, value: string]> = [
  ["${{ inputs.name }}.jsonl", "../../escaped"],
  ["${{ inputs.name }}.jsonl", "../escaped"],
  ["${{ inputs.name }}", "/tmp/escaped-by-sluice.jsonl"],
  ["sub/${{ inputs.name }}.jsonl", "../escaped"],
  ["sub/${{ inputs.name }}.jsonl", "a/../../escaped"],
  ["sub/x-${{ inputs.name }}.jsonl", "/../../escaped"],
  ["sub/${{ inputs.name }}/{date}.jsonl", ".."],
  ["sub/${{ inputs.name }}/{date}.jsonl", "linked"]
]

describe("outputs", () => {
  scoped("an input does not lead a path out of its folder", function* () {
    const { folder, own, run } = yield* ground(written)
    mkdirSync(`${folder}/out/sub`, { recursive: true })
    symlinkSync(`${folder}/elsewhere`, `${folder}/out/sub/linked`)
    for (const [path, value] of ways) {
      const steps = `  - read: rows.jsonl\n  - write: { jsonl: "${path}" }`
      yield* writeText(own, definition(steps, "inputs: { name: { type: string } }\n"))
      const { code, err } = yield* run(own, "--input", `name=${value}`)
      expect([code, err], value).toEqual([expect.any(Number), expect.stringMatching(/leads (this path )?out of/)])
      expect(code).not.toBe(0)
      expect(yield* list(folder)).not.toContain("escaped.jsonl")
      expect(yield* list(`${folder}/out`)).toEqual(["sub"])
      expect(yield* list(`${folder}/elsewhere`)).toHaveLength(3)
    }
  })

  scoped("an input may name a folder below the literal part of the path", function* () {
    const { folder, own, run } = yield* ground(
      '  - read: rows.jsonl\n  - write: { jsonl: "sub/${{ inputs.name }}.jsonl" }',
      {
        head: "inputs: { name: { type: string } }\n"
      }
    )
    expect((yield* run(own, "--input", "name=a/../b/c")).code).toBe(0)
    expect(yield* list(`${folder}/out/sub/b`)).toEqual(["c.jsonl"])
  })

  scoped("a trial writes nothing out of its folder, also through a link and with --out", function* () {
    const steps = '  - read: rows.jsonl\n  - write: { jsonl: "${{ inputs.d }}/x.jsonl" }'
    const head = "inputs: { d: { type: string } }\n"
    const { folder, own, run } = yield* ground(steps, { head })
    mkdirSync(`${folder}/out`)
    symlinkSync(`${folder}/elsewhere`, `${folder}/out/link`)
    const { code, err } = yield* run(own, "--limit", "1", "--input", "d=link")
    expect(code).not.toBe(0)
    expect(err).toContain("leads out of")
    expect(yield* list(`${folder}/elsewhere`)).not.toContain("x.jsonl")
    const literal = yield* ground('  - read: rows.jsonl\n  - write: { jsonl: "link/x.jsonl" }')
    mkdirSync(`${literal.folder}/out`)
    symlinkSync(`${literal.folder}/elsewhere`, `${literal.folder}/out/link`)
    expect((yield* literal.run(literal.own, "--limit", "1")).code).not.toBe(0)
    expect(yield* list(`${literal.folder}/elsewhere`)).not.toContain("x.jsonl")
    expect((yield* run(own, "--limit", "1", "--input", "d=fine")).code).toBe(0)
  })

  scoped("a row's value does not choose a link that leads out", function* () {
    const { folder, own, run } = yield* ground(
      '  - read: rows.jsonl\n  - write: { jsonl: "{n}/rows.jsonl", partitionBy: { n: n } }'
    )
    mkdirSync(`${folder}/out`)
    symlinkSync(`${folder}/elsewhere`, `${folder}/out/1`)
    const { code, err } = yield* run(own)
    expect(code).not.toBe(0)
    expect(err).toContain("leads out of")
    expect(yield* readText(`${folder}/elsewhere/rows.jsonl`)).toContain("secret")
  })

  scoped("a definition of the project writes where its text says, and one from elsewhere below --out", function* () {
    const steps = `  - urls: [https://example.com]\n  - write: { jsonl: "../beside.jsonl" }`
    const { folder, foreign, own, run } = yield* ground(steps)
    expect((yield* run(own)).code).toBe(0)
    const refused = yield* run(foreign)
    expect(refused.code).toBe(78)
    expect(refused.err).toMatch(/elsewhere\/p\.yaml:5:\d+ .*--allow-path/s)
    expect((yield* run(foreign, "--allow-path", folder)).code).toBe(0)
  })

  scoped("nothing is written into the data folder", function* () {
    const { own, run } = yield* ground(`  - urls: [https://example.com]\n  - write: { jsonl: "../data/x.jsonl" }`)
    const { code, err } = yield* run(own, "--allow-path", "/")
    expect(code).toBe(78)
    expect(err).toContain("cannot be written by any definition")
  })
})

describe("what a refusal asks to allow", () => {
  const hints = Effect.map(ground(written), ({ foreign, own, run }) => (steps: string) => {
    const file = /write: \{ jsonl: "?\//.test(steps) ? foreign : own
    return Effect.gen(function* () {
      yield* writeText(file, definition(steps))
      const { err } = yield* run(file)
      return { hint: /--allow-path (\S+)/.exec(err)?.[1], err }
    })
  })

  scoped("is the folder of a pattern, of a file and of an output, and no folder above", function* () {
    const hintOf = yield* hints
    const fine = "  - urls: [https://example.com]\n"
    const cases: ReadonlyArray<readonly [steps: string, hint: string]> = [
      [`  - files: { glob: "/data/*.csv" }\n${written}`, "/data"],
      [`  - files: { glob: "/data/in/**" }\n${written}`, "/data/in"],
      [`  - read: /data/in/rows.jsonl\n${written}`, "/data/in"],
      [`${fine}  - write: { jsonl: /data/out/abs.jsonl }`, "/data/out"],
      [`${fine}  - write: { jsonl: "/data/out/abs-{runId}.jsonl" }`, "/data/out"],
      ["  - read: /rows.jsonl\n  - write: { jsonl: x.jsonl }", "/rows.jsonl"],
      [`${fine}  - write: { jsonl: /abs.jsonl }`, "/abs.jsonl"],
      [`  - read: ${homedir()}/rows.jsonl\n${written}`, `${homedir()}/rows.jsonl`]
    ]
    for (const [steps, hint] of cases) expect((yield* hintOf(steps)).hint, steps).toBe(hint)
  })

  scoped("is never the root of the disk or the home folder", function* () {
    const hintOf = yield* hints
    const cases = [
      `  - files: { glob: "/*.csv" }\n${written}`,
      `  - files: { glob: "${homedir()}/*.csv" }\n${written}`,
      '  - urls: [https://example.com]\n  - write: { jsonl: "/abs-{runId}.jsonl" }'
    ]
    for (const steps of cases) {
      const { err, hint } = yield* hintOf(steps)
      expect(hint, err).toBe("DIR")
      expect(err).toContain("put it into a separate folder")
    }
  })

  scoped("is a linked folder itself, and allowing it is enough", function* () {
    const { folder, own, project, run } = yield* ground(`  - files: { glob: "linked/*.jsonl" }\n${written}`)
    symlinkSync(`${folder}/elsewhere`, `${project}/linked`)
    expect((yield* run(own)).err).toMatch(new RegExp(`--allow-path ${folder}/elsewhere\\b`))
    expect((yield* run(own, "--allow-path", `${folder}/elsewhere`)).code).toBe(0)
  })
})

const bound = `secrets: { TOKEN: { hosts: [api.example.com, "*.example.org"] } }\n`
const sending = (step: string) => `  - urls: ["https://api.example.com/"]\n${step}\n${written}`
const header = 'headers: { Authorization: "${{ secrets.TOKEN }}" }'

const check = (steps: string, config = bound) =>
  Effect.gen(function* () {
    const { own, project } = yield* ground(steps, { files: { "project/config/any.yaml": config } })
    return yield* sluice(["check", own], { cwd: project, env: { TOKEN: "sentinel-token" } })
  })

describe("secrets", () => {
  scoped("a secret that is bound to hosts goes to no other one", function* () {
    const fine = ["https://api.example.com/a", "https://a.b.example.org/", "https://API.example.com./"]
    for (const url of fine) {
      expect((yield* check(sending(`  - scrape: { url: "${url}", ${header} }`))).out).toBe("1 pipeline is fine\n")
    }
    const refused = [
      "https://example.com/",
      "https://api.example.com.evil.net/",
      "https://example.org/",
      "http://127.0.0.1/"
    ]
    for (const url of refused) {
      const { code, out } = yield* check(sending(`  - scrape: { url: "${url}", ${header} }`))
      expect(code).toBe(78)
      expect(out).toMatch(/p\.yaml:5:\d+ .*the secret TOKEN is bound to api\.example\.com, \*\.example\.org/)
      expect(out).not.toContain("sentinel")
    }
  })

  scoped("a secret for OAuth is held to the address that gives tokens, and to no other", function* () {
    const api = (url: string, tokenUrl: string, more = "") =>
      `  - request: { url: "${url}", auth: { oauth: { tokenUrl: "${tokenUrl}", clientId: "a", clientSecret: "\${{ secrets.TOKEN }}" } }${more} }\n${written}`
    const [home, other] = ["https://api.example.com/token", "https://evil.example.net/token"]
    expect((yield* check(api("https://data.example.net/", home))).out).toBe("1 pipeline is fine\n")
    const refused = yield* check(api(home, other))
    expect(refused.code).toBe(78)
    expect(refused.out).toMatch(/p\.yaml:4:\d+ .*the secret TOKEN is bound to .* would be sent to evil\.example\.net/)
    const both = yield* check(api("https://data.example.net/", home, `, ${header}`))
    expect(both.out).toContain("would be sent to data.example.net")
    const late = api(home, "${{ inputs.at }}")
    const { folder, own, project } = yield* ground(late, {
      files: { "project/config/any.yaml": bound },
      head: `inputs: { at: { type: string } }\n`
    })
    const ran = yield* sluice(
      ["run", own, "--input", `at=${other}`, "--data", `${folder}/data`, "--out", `${folder}/out`],
      { cwd: project, env: { TOKEN: "sentinel-token" } }
    )
    expect(ran.err).toContain("the secret TOKEN is bound to")
  })

  scoped("a crawl and a search are held to the binding, too", function* () {
    const crawl = `  - crawl: { url: "https://evil.net/", scrapeOptions: { ${header} } }\n${written}`
    expect((yield* check(crawl)).out).toContain("is bound to")
    const search = `  - search: { query: x, scrapeOptions: { formats: [markdown], ${header} } }\n${written}`
    expect((yield* check(search)).out).toContain("any host that it finds")
  })

  scoped("an address that a row names is held to it when it is asked for", function* () {
    const { folder, own, project } = yield* ground(written, { files: { "project/config/any.yaml": bound } })
    for (const step of ["scrape", "batchScrape", "parse"]) {
      yield* writeText(
        own,
        definition(
          `  - urls: ["https://evil.example.net/"]\n  - ${step}: { url: { expr: url }, ${header} }\n${written}`
        )
      )
      const { code, err } = yield* sluice(["run", own, "--data", `${folder}/data`, "--out", `${folder}/out`], {
        cwd: project,
        env: { TOKEN: "sentinel-token", SLUICE_BASE_URL: "http://127.0.0.1:9", SLUICE_API_KEY: "fc-x" }
      })
      expect(code).not.toBe(0)
      expect(err).toContain("the secret TOKEN is bound to")
      expect(err).not.toContain("sentinel")
    }
  })

  scoped("a header that every host is sent holds no secret", function* () {
    const step = '  - scrape: { headers: { User-Agent: "${{ secrets.TOKEN }}" } }'
    expect((yield* check(sending(step), "")).out).toContain("sent on to other hosts")
  })

  scoped("a binding that is written wrongly is no binding, and so a mistake", function* () {
    for (const wrong of [
      "secrets: { TOKEN: api.example.com }",
      "secrets: { TOKEN: { hosts: [] } }",
      'secrets: { TOKEN: { hosts: ["https://api.example.com"] } }'
    ]) {
      const { code, err } = yield* check(sending(`  - scrape: { ${header} }`), `${wrong}\n`)
      expect(code).toBe(78)
      expect(err).toContain("config/any.yaml:1:")
    }
  })
})

const asking = `  - urls: ["https://a.example.com/", "https://b.example.com/\${{ env.REGION }}"]\n  - scrape: { ${header} }`

describe("what a definition touches", () => {
  const grown =
    "  - urls: [https://a.example.com/, 'https://b.example.com/${{ env.REGION }}']\n  - write: { jsonl: more.jsonl }"

  scoped("a plan lists names, hosts and files, for people and for scripts", function* () {
    const { own, project } = yield* ground(`${asking}\n  - join: { file: rows.jsonl, on: n }\n${written}`)
    const plan = (...words: ReadonlyArray<string>) =>
      sluice(["plan", own, ...words], { cwd: project, env: { TOKEN: "sentinel-token", REGION: "eu" } })
    const { out } = yield* plan("--json")
    expect(JSON.parse(out).touches).toEqual({
      env: ["REGION"],
      secrets: ["TOKEN"],
      hosts: ["*", "a.example.com", "b.example.com"],
      reads: [`${project}/rows.jsonl`],
      writes: ["rows.jsonl"],
      uses: []
    })
    const text = (yield* plan()).out
    for (const line of [/env +REGION/, /secrets +TOKEN/, /hosts +.*a\.example\.com/, /reads +.*rows\.jsonl/]) {
      expect(text).toMatch(line)
    }
    expect(out + text).not.toContain("sentinel")
  })

  scoped("a run says once what has come to it since the last run, and the first one says nothing", function* () {
    const { own, run } = yield* ground(`  - urls: [https://a.example.com/]\n${written}`)
    for (const _ of [1, 2]) expect((yield* run(own)).err).not.toContain("names hosts, files or variables")
    yield* writeText(own, definition(grown))
    const { err } = yield* run(own)
    expect(err).toContain("env REGION; host b.example.com; writes more.jsonl")
    expect(err.match(/names hosts, files or variables/g)).toHaveLength(1)
    expect((yield* run(own)).err).not.toContain("names hosts, files or variables")
  })

  scoped("a run with another input is not warned about, but one with a new text is", function* () {
    const head = "inputs: { h: { type: string } }\n"
    const { own, run } = yield* ground(`  - urls: ["http://\${{ inputs.h }}.example/"]\n${written}`, { head })
    for (const h of ["a", "b", "a"]) {
      const { code, err } = yield* run(own, "--input", `h=${h}`)
      expect([code, err]).toEqual([0, expect.not.stringContaining("its last run")])
    }
    yield* writeText(own, definition(`  - urls: ["http://\${{ inputs.h }}.test/"]\n${written}`, head))
    expect((yield* run(own, "--input", "h=a")).err).toContain("host ${{ inputs.h }}.test")
  })
})

describe("saved runs and schedules", () => {
  scoped("a run that is resumed is asked for its permission again, before anything of it is opened", function* () {
    const folder = yield* folderOf({ "project/package.json": "{}" })
    const project = `${folder}/project`
    const steps = `  - read: ../elsewhere/rows.jsonl\n  - check: [{ rule: "false", message: no, onFail: fail }]\n  - write: { jsonl: "${folder}/absolute/x.jsonl" }`
    mkdirSync(`${folder}/elsewhere`)
    yield* writeText(`${folder}/elsewhere/rows.jsonl`, '{"n":1}\n')
    yield* writeText(`${folder}/elsewhere/p.yaml`, definition(steps))
    const call = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], { cwd: project, env: {} })
    const allow = (name: string) => ["--allow-path", `${folder}/${name}`]
    const file = `${folder}/elsewhere/p.yaml`
    const begun = yield* call("run", file, "--out", `${folder}/out`, ...allow("elsewhere"), ...allow("absolute"))
    expect(begun.code, begun.err).toBe(6)
    const recordOf = Effect.map(call("runs", "--json"), ({ out }) => JSON.parse(out)[0])
    const before = yield* recordOf
    for (const [given, lacking] of [
      [allow("elsewhere"), "absolute"],
      [allow("absolute"), "elsewhere"],
      [[], "elsewhere"]
    ] as const) {
      const refused = yield* call("resume", before.runId, ...given)
      expect(refused.code, refused.err).toBe(78)
      expect(refused.err).toContain(`--allow-path ${folder}/${lacking}`)
      expect(yield* recordOf).toEqual(before)
    }
    // The same mistake again: it has gone on.
    expect((yield* call("resume", before.runId, ...allow("elsewhere"), ...allow("absolute"))).code).toBe(6)
  })

  scoped("a run that goes on, or is replayed, is asked for its permission again", function* () {
    const { folder, foreign, project, run } = yield* ground(
      `  - urls: ["https://example.com/\${{ env.REGION }}"]\n  - check: [{ rule: "false", message: no, onFail: reject }]\n${written}`
    )
    expect((yield* run(foreign, "--allow-env", "REGION")).code).toBe(3)
    const again = (verb: string, ...words: ReadonlyArray<string>) =>
      sluice([verb, "--data", `${folder}/data`, ...words], { cwd: project, env: { REGION: "eu" } })
    const [{ runId: id }] = JSON.parse((yield* again("runs", "--json")).out)
    const refused = yield* again("replay", id)
    expect(refused.code).toBe(78)
    expect(refused.err).toContain("--allow-env REGION")
    expect((yield* again("replay", id, "--allow-env", "REGION")).code).toBe(3)
  })

  scoped("a schedule gives definitions from elsewhere nothing either, and prints what it was allowed", function* () {
    const { folder, project } = yield* ground(`  - urls: ["https://example.com/\${{ env.REGION }}"]\n${written}`, {
      head: 'schedule: { cron: "0 * * * *" }\n'
    })
    const schedule = (...words: ReadonlyArray<string>) =>
      sluice(["schedule", `${folder}/elsewhere`, "--print", "cron", ...words], {
        cwd: project,
        env: { REGION: "eu" }
      })
    const refused = yield* schedule()
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain("--allow-env REGION")
    expect((yield* schedule("--allow-env", "REGION")).out).toContain("--allow-env REGION")
  })
})
