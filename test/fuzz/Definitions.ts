/** Definitions that read, send or write what they may not: variations drawn from a seed, each checked and run in this process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { channel, type Terminal } from "../../src/Cli/Terminal.ts"
import { main } from "../../src/Cli.ts"

export interface DefinitionsReport {
  readonly attempts: number
  /** Attempts that ended with an error, and that neither read, sent nor wrote what they may not. */
  readonly refused: number
  /** Refused attempts of each kind. */
  readonly kinds: Readonly<Record<string, number>>
  readonly faults: ReadonlyArray<string>
}

/** Stands in every variable and file that no definition may read. */
const sentinel = "fuzz-sentinel-7d1c"

/** Place of an attempt: a project, and a folder beside it that does not belong to it. */
interface Ground {
  readonly folder: string
  readonly host: string
  readonly next: (n: number) => number
}

interface Attempt {
  readonly kind: string
  /** True for a definition from outside the project. */
  readonly isForeign: boolean
  readonly head?: string
  readonly steps: string
  readonly words?: ReadonlyArray<string>
}

const written = '  - write: { jsonl: "rows.jsonl" }\n'
const quote = JSON.stringify

const pick = <A>(all: readonly [A, ...ReadonlyArray<A>], { next }: Ground): A => all[next(all.length)] ?? all[0]

/** The same path in other words. */
const disguise = (path: string, ground: Ground): string => {
  const up = path.startsWith("/") ? path.replace("/", pick(["/", "//", "/./", "/usr/../"], ground)) : path
  const at = up.lastIndexOf("/")
  return at === -1 ? `./${up}` : up.slice(0, at) + pick(["/", "//", "/./", "/x/../"], ground) + up.slice(at + 1)
}

/** A file that the definition may not read; `isForeign` says whose definition it is. */
const forbidden = (isForeign: boolean, ground: Ground): string => {
  const { folder } = ground
  const everyone = [
    "/proc/self/environ",
    "/proc/1/environ",
    "/proc/thread-self/environ",
    "/proc/self/root/etc/hosts",
    "/proc/self/fd/0",
    "/dev/stdin",
    "/dev/fd/0",
    `/proc/self/cwd/../${folder}/data/keys.jsonl`,
    `${folder}/data/keys.jsonl`,
    `${folder}/project/.sluice/keys.jsonl`,
    "/etc/hosts",
    "/sys/kernel/version"
  ] as const
  const own = [
    "../other/secret.jsonl",
    "sub/../../other/secret.jsonl",
    `${folder}/other/secret.jsonl`,
    "link.jsonl",
    "linked/secret.jsonl",
    "chain/secret.jsonl",
    "device"
  ] as const
  const foreign = [
    "../project/secret.jsonl",
    `${folder}/project/secret.jsonl`,
    "secret.jsonl",
    "inward/secret.jsonl"
  ] as const
  const path = pick([...everyone, ...(isForeign ? foreign : own)], ground)
  return ground.next(3) === 0 ? disguise(path, ground) : path
}

const reading = (ground: Ground): Attempt => {
  const isForeign = ground.next(2) === 0
  const path = forbidden(isForeign, ground)
  const file = quote(path)
  const steps = pick(
    [
      `  - read: { file: ${file}, format: jsonl }\n`,
      `  - read: { file: ${file}, format: csv }\n`,
      `  - urls: { file: ${file} }\n`,
      `  - files: { glob: ${file} }\n  - parse: { file: { expr: path } }\n`,
      `  - urls: [https://example.com]\n  - join: { file: ${file}, on: n }\n`,
      `  - urls: { file: ${quote(pathToFileURL(join("/", path)).href)} }\n`,
      `  - read: { file: ${quote(pathToFileURL(join("/", path)).href)}, format: jsonl }\n`,
      `  - urls: [https://example.com]\n  - use: { module: ${file} }\n`,
      `  - crawlPreview: { url: "https://example.com", prompt: all }\n    pin: ${file}\n`
    ],
    ground
  )
  return { kind: "files", isForeign, steps: steps + written }
}

const globbing = (ground: Ground): Attempt => {
  const isForeign = ground.next(2) === 0
  const patterns = [
    "/proc/self/*",
    "/proc/*/environ",
    `${ground.folder}/data/*`,
    "../{data,other}/*.jsonl",
    "../*/secret.jsonl",
    "/etc/host*",
    ...(isForeign
      ? (["*.jsonl", "**/secret.jsonl", "../project/s*.jsonl"] as const)
      : ([
          "*/secret.jsonl",
          "**/secret.jsonl",
          "link*/*",
          "l[i]nk.jsonl",
          "../oth[e]r/*",
          "{,.}sluice/../../data/*"
        ] as const))
  ] as const
  const pattern = pick([patterns[0], ...patterns.slice(1)], ground)
  const glob = ground.next(3) === 0 ? `[rows.jsonl, ${quote(pattern)}]` : quote(pattern)
  return { kind: "globs", isForeign, steps: `  - files: { glob: ${glob} }\n${written}` }
}

const naming = (ground: Ground): Attempt => {
  const name = pick(["TOKEN", "REGION", "PGPASSWORD", "DATABASE_URL", "API_KEY", "SLUICE_API_KEY"], ground)
  const isForeign = name === "REGION" || name === "TOKEN" || ground.next(2) === 0
  const spelling = pick(
    [`env.${name}`, `$uppercase(env.${name})`, `env[${quote(name)}]`, `$lookup(env, ${quote(name)})`],
    ground
  )
  const value = `\${{ ${spelling} }}`
  const steps = pick(
    [
      `  - urls: [${quote(`${ground.host}/?${value}`)}]\n`,
      `  - urls: [https://example.com]\n  - select: { x: ${quote(value)} }\n`,
      `  - urls: [${quote(`${ground.host}/`)}]\n  - scrape: { headers: { X-Y: ${quote(value)} } }\n`
    ],
    ground
  )
  return { kind: "variables", isForeign, steps: steps + written }
}

const sending = (ground: Ground): Attempt => {
  const isForeign = ground.next(2) === 0
  const value = "${{ secrets.TOKEN }}"
  const url = `${ground.host}/`
  // TOKEN is bound to another host, so that a definition of the project may not send it here either.
  const [first, ...more] = [
    `  - urls: [${quote(url)}]\n  - scrape: { headers: { Authorization: ${quote(value)} } }\n`,
    `  - urls: [${quote(url)}]\n  - batchScrape: { headers: { X-Key: ${quote(`Bearer ${value}`)} } }\n`,
    `  - crawl: { url: ${quote(url)}, scrapeOptions: { headers: { X-Key: ${quote(value)} } } }\n`,
    `  - urls: [${quote(`${url}?${value}`)}]\n`,
    `  - urls: [${quote(url)}]\n  - select: { x: ${quote(value)} }\n`,
    `  - urls: [${quote(url)}]\n  - scrape: { headers: { User-Agent: ${quote(value)} } }\n`
  ] as const
  return { kind: "secrets", isForeign, steps: pick([first, ...more], ground) + written }
}

const giving = (ground: Ground): Attempt => {
  const isForeign = ground.next(2) === 0
  const path = forbidden(isForeign, ground)
  // Paths on the command line are relative to the project.
  const given = path.startsWith("/") ? path : join(ground.folder, isForeign ? "foreign" : "project", path)
  const type = pick(["path", "string"], ground)
  return {
    kind: "inputs",
    isForeign,
    head: `inputs: { file: { type: ${type} } }\n`,
    steps: `  - read: { file: "\${{ inputs.file }}", format: jsonl }\n${written}`,
    words: ["--input", `file=${given}`]
  }
}

const writing = (ground: Ground): Attempt => {
  const { folder } = ground
  const value = pick(
    [
      "../../stray",
      "../stray",
      `${folder}/other/stray`,
      "a/../../stray",
      "out-link/stray",
      "sub/../../stray",
      `${folder}/data/stray`
    ],
    ground
  )
  const isForeign = ground.next(2) === 0
  const trial = ground.next(3) === 0 ? ["--limit", "1"] : []
  const template = pick(["${{ inputs.d }}.jsonl", "sub/${{ inputs.d }}.jsonl", "${{ inputs.d }}/{date}.jsonl"], ground)
  // Behind sub/ an absolute path leads nowhere else, and no link leads out.
  const escaping = template.startsWith("sub/") && /^(out-link|\/)/.test(value) ? "../out-link/stray" : value
  return {
    kind: "outputs",
    isForeign,
    head: "inputs: { d: { type: string } }\n",
    steps: `  - urls: [https://example.com]\n  - write: { jsonl: ${quote(template)} }\n`,
    words: ["--input", `d=${escaping}`, ...trial]
  }
}

const kinds = [reading, globbing, naming, sending, giving, writing] as const

const lay = (folder: string): void => {
  for (const each of ["project/config", "project/sub", "project/.sluice", "foreign", "other", "data", "out/sub"]) {
    mkdirSync(join(folder, each), { recursive: true })
  }
  const line = `{"n":1,"secret":"${sentinel}"}\n`
  for (const each of [
    "other/secret.jsonl",
    "project/secret.jsonl",
    "foreign/secret.jsonl",
    "data/keys.jsonl",
    "project/.sluice/keys.jsonl"
  ]) {
    writeFileSync(join(folder, each), line)
  }
  writeFileSync(join(folder, "project/package.json"), "{}")
  writeFileSync(join(folder, "project/rows.jsonl"), '{"n":1}\n')
  writeFileSync(join(folder, "project/config/hosts.yaml"), "secrets: { TOKEN: { hosts: [api.example.com] } }\n")
  symlinkSync(join(folder, "other/secret.jsonl"), join(folder, "project/link.jsonl"))
  symlinkSync(join(folder, "other"), join(folder, "project/linked"))
  symlinkSync(join(folder, "project/linked"), join(folder, "project/chain"))
  symlinkSync("/dev/stdin", join(folder, "project/device"))
  symlinkSync(join(folder, "project"), join(folder, "foreign/inward"))
  symlinkSync(join(folder, "other"), join(folder, "out/out-link"))
}

/** The files below a folder, links not followed. */
const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const listening = Effect.acquireRelease(
  Effect.async<{ readonly host: string; readonly seen: Array<string>; readonly close: () => void }>((resume) => {
    const seen: Array<string> = []
    const server = createServer((request, response) => {
      seen.push(`${request.url} ${JSON.stringify(request.headers)}`)
      response.end("{}")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ host: `http://127.0.0.1:${port}`, seen, close: () => void server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const env = {
  TOKEN: sentinel,
  REGION: sentinel,
  PGPASSWORD: sentinel,
  DATABASE_URL: `postgres://u:${sentinel}@db/x`,
  API_KEY: sentinel,
  SLUICE_ALLOW_NETWORKS: "127.0.0.0/8"
}

/** Runs one attempt; a string says what it got that it may not have. */
const judge = (
  { head = "", isForeign, steps, words = [] }: Attempt,
  folder: string,
  host: string,
  seen: Array<string>
) =>
  Effect.gen(function* () {
    lay(folder)
    const file = join(folder, isForeign ? "foreign" : "project", "p.yaml")
    writeFileSync(file, `version: 1\nname: p\n${head}steps:\n${steps}`)
    const before = new Set([
      ...below(join(folder, "other")),
      ...below(join(folder, "project")),
      ...below(join(folder, "foreign"))
    ])
    let said = ""
    const stream = () => channel({ isTTY: false, columns: 100, write: (text) => (said += text) }, {})
    const terminal: Terminal = {
      out: stream(),
      err: stream(),
      env: { ...env, SLUICE_BASE_URL: host, SLUICE_API_KEY: "fc-fuzz" },
      cwd: join(folder, "project")
    }
    const all = ["run", file, "--data", join(folder, "data"), "--out", join(folder, "out"), ...words]
    const code = yield* Effect.promise(() => main(all, terminal, new AbortController().signal))
    const results = below(join(folder, "out")).map((path) => readFileSync(path, "utf8"))
    const strays = [
      ...below(join(folder, "other")),
      ...below(join(folder, "project")),
      ...below(join(folder, "foreign"))
    ].filter((path) => !before.has(path))
    if (said.includes(sentinel)) return "the terminal shows what it may not read"
    if (results.some((text) => text.includes(sentinel))) return "an output holds what it may not read"
    if (seen.some((text) => text.includes(sentinel))) return "a host was sent what it may not see"
    if (strays.length > 0 || readdirSync(folder).some((name) => name.includes("stray")))
      return "a file was written outside"
    return code === 0 ? "it ended in success" : undefined
  })

/** Makes as many attempts as are asked for, the same for the same seed. */
export const attackFiles = ({ attempts, seed }: { readonly attempts: number; readonly seed: number }) =>
  Effect.gen(function* () {
    const { host, seen } = yield* listening
    const random = yield* Effect.random
    const draw = (n: number): number => Effect.runSync(random.nextIntBetween(0, n))
    const counts: Record<string, number> = {}
    const faults: Array<string> = []
    let refused = 0
    for (let at = 0; at < attempts; at++) {
      const folder = mkdtempSync(join(tmpdir(), "sluice-fuzz-"))
      const make = kinds[at % kinds.length] ?? reading
      const attempt = make({ folder, host, next: draw })
      seen.length = 0
      const fault = yield* Effect.ensuring(
        judge(attempt, folder, host, seen),
        Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      if (fault === undefined) {
        refused += 1
        counts[attempt.kind] = (counts[attempt.kind] ?? 0) + 1
      } else {
        const whose = attempt.isForeign ? "from outside the project" : "of the project"
        faults.push(
          `a definition ${whose}: ${fault}\n${attempt.head ?? ""}${attempt.steps}${(attempt.words ?? []).join(" ")}`
        )
      }
    }
    return { attempts, refused, kinds: counts, faults } satisfies DefinitionsReport
  }).pipe(Effect.withRandom(Random.make(seed)), Effect.scoped)
