import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { validate } from "dockerfile-utils"
import { parse } from "yaml"
import { catalogue } from "../../src/Settings.ts"
import { readNow } from "../Cli/Loaded.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const text = (name: string): string => readFileSync(`${root}${name}`, "utf8")

/** The command line is one that this program takes. */
const isTaken = (words: ReadonlyArray<string>): void => {
  expect(words[0]).toBe("sluice")
  expect(readNow(words.slice(1)).ask, words.join(" ")).toBe("act")
}

/** An exact version, so that tomorrow's build is today's. */
const pinned = /^[\w./-]+:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/

/** Tools that read these files part a command at spaces, also within a word. */
const isWhole = (words: ReadonlyArray<string>): void => expect(words.filter((word) => /\s/.test(word))).toEqual([])

const healthOf = (command: string): string | undefined => /http:\/\/127\.0\.0\.1:(\d+)\/health/.exec(command)?.[1]

describe("the image", () => {
  const lines = text("Dockerfile")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.trim())
  const of = (instruction: string) =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))

  it("is described without a mistake that the linter knows", () => {
    expect(validate(text("Dockerfile")).map(({ message, range }) => [range.start.line + 1, message])).toEqual([])
  })

  it("uses exact versions of a supported Node, and an unprivileged user", () => {
    const bases = of("FROM").map((line) => line.split(" ")[0] ?? "")
    expect(new Set(bases).size).toBe(1)
    for (const base of bases) expect(base).toMatch(pinned)
    const { engines } = JSON.parse(text("package.json"))
    const [major = 0, minor = 0] = engines.node.replace(">=", "").split(".").map(Number)
    const [, ours = "0", oursMinor = "0"] = /node:(\d+)\.(\d+)/.exec(bases[0] ?? "") ?? []
    expect(Number(ours) > major || (Number(ours) === major && Number(oursMinor) >= minor)).toBe(true)
    expect(of("USER")).toEqual(["node"])
    expect(of("ADD")).toEqual([])
  })

  it("serves the engine, asks what the engine answers for its health, and takes signals", () => {
    const command = JSON.parse(of("CMD").join("\n"))
    isTaken(command)
    expect(healthOf(of("HEALTHCHECK").join(""))).toBe(command[command.indexOf("--port") + 1])
    isWhole(JSON.parse(/CMD (\[.*\])/.exec(of("HEALTHCHECK").join(""))?.[1] ?? ""))
    expect(of("EXPOSE")).toEqual([command[command.indexOf("--port") + 1]])
    expect(JSON.parse(of("ENTRYPOINT").join(""))).toEqual(["/usr/bin/tini", "--"])
    for (const line of of("ENV")) {
      for (const [, name = ""] of line.matchAll(/(\w+)=/g)) {
        expect([...Object.values(catalogue).map(({ env }) => env), "NODE_ENV", "MALLOC_TRIM_THRESHOLD_"]).toContain(
          name
        )
      }
    }
  })

  it("is made of files that are there, and of nothing that is not let into its context", () => {
    const admitted = text(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1))
    const copied = of("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1))
    expect(text(".dockerignore").split("\n")).toContain("*")
    expect([...copied].sort()).toEqual([...admitted].sort())
    for (const path of copied) expect(existsSync(`${root}${path}`), path).toBe(true)
  })
})

describe("compose.yaml", () => {
  interface Service {
    readonly image: string
    readonly command?: ReadonlyArray<string>
    readonly environment?: Readonly<Record<string, string>>
    readonly ports?: ReadonlyArray<string>
    readonly volumes?: ReadonlyArray<string>
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
    readonly healthcheck?: { readonly test?: ReadonlyArray<string>; readonly disable?: boolean }
    readonly read_only?: boolean
    readonly user?: string
    readonly cap_drop?: ReadonlyArray<string>
    readonly security_opt?: ReadonlyArray<string>
    readonly tmpfs?: ReadonlyArray<string>
    readonly working_dir?: string
  }
  const compose: { readonly services: Readonly<Record<string, Service>>; readonly volumes: object } = parse(
    text("compose.yaml"),
    { merge: true }
  )
  const services = Object.entries(compose.services)
  const own = services.filter(([name]) => name !== "postgres")

  it("starts what is called sluice with commands that it takes, on settings that there are", () => {
    expect(services.map(([name]) => name)).toEqual(["postgres", "engine", "worker", "schedule"])
    const settings = Object.values(catalogue).map(({ env }) => env)
    for (const [name, { command = [], environment = {}, read_only }] of own) {
      isTaken(command)
      for (const each of Object.keys(environment)) expect(settings, name).toContain(each)
      expect(read_only, name).toBe(true)
    }
  })

  it("pins images, publishes on loopback alone, and keeps every secret out of the file", () => {
    const { version } = JSON.parse(text("package.json"))
    for (const [name, { environment = {}, image, ports = [] }] of services) {
      expect(image, name).toMatch(pinned)
      if (name !== "postgres") expect(image).toBe(`sluice:${version}`)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
      for (const [key, value] of Object.entries(environment)) {
        if (/KEY|PASSWORD|DATABASE_URL/.test(key)) expect(value, key).toMatch(/\$\{\w+:\?/)
      }
    }
    expect(text(".gitignore").split("\n")).toContain(".env")
  })

  it("waits for whom it needs to be well, by checks that ask what is served", () => {
    for (const [name, { command = [], depends_on = {}, healthcheck }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect([compose.services[other]?.image !== undefined, condition], name).toEqual([true, "service_healthy"])
        expect(compose.services[other]?.healthcheck?.disable ?? false).toBe(false)
      }
      isWhole(healthcheck?.test ?? [])
      const port = healthOf(healthcheck?.test?.join(" ") ?? "")
      if (port !== undefined) expect(command[command.indexOf("--health") + 1]).toBe(port)
    }
    expect(Object.keys(compose.services.worker?.depends_on ?? {})).toEqual(["postgres", "engine"])
  })

  it("mounts volumes that are declared and folders that are there, the shared one for all who need it", () => {
    for (const [, { volumes = [] }] of services) {
      for (const volume of volumes) {
        const [from = ""] = volume.split(":")
        if (from.startsWith("./")) expect(existsSync(`${root}${from}`), from).toBe(true)
        else expect(Object.keys(compose.volumes)).toContain(from)
      }
    }
    for (const name of ["worker", "schedule"]) expect(compose.services[name]?.volumes).toContain("shared:/shared")
  })

  it("takes every capability and new privileges from each service, the database too, over a root that is read-only", () => {
    for (const [name, { cap_drop, read_only, security_opt = [] }] of services) {
      expect([cap_drop, read_only], name).toEqual([["ALL"], true])
      expect(security_opt, name).toContain("no-new-privileges:true")
    }
    // Its image would begin as root and give itself up by capabilities; its socket lies in a folder that must be its own.
    const { tmpfs, user } = compose.services.postgres ?? {}
    expect(user).toBe("999:999")
    expect(tmpfs).toContain("/var/run/postgresql:uid=999,gid=999,mode=0775")
    // No digest is known here: the versions are exact, and the files say how to add one.
    for (const file of ["compose.yaml", "Dockerfile"])
      expect(text(file)).toMatch(/add the digest that your registry shows/)
  })

  it("gives what is read-only, and has no rights, a folder to work in and a bounded place for scraps", () => {
    for (const [name, { cap_drop, security_opt = [], tmpfs, volumes = [], working_dir }] of own) {
      expect([cap_drop, security_opt[0]], name).toEqual([["ALL"], "no-new-privileges:true"])
      // A volume over an existing folder, such as a home, would belong to root.
      expect(tmpfs, name).toEqual([expect.stringMatching(/^\/tmp:size=\d+[gm]$/)])
      const writable = volumes.filter((volume) => !volume.endsWith(":ro")).map((volume) => volume.split(":")[1])
      expect(writable, name).toContain(working_dir)
    }
  })

  it("lets the one that has a Chromium make the namespaces of its sandbox, and do nothing in them", () => {
    for (const [name, { environment = {}, security_opt = [] }] of own) {
      const profile = security_opt.find((option) => option.startsWith("seccomp="))?.slice("seccomp=".length)
      expect(profile !== undefined, name).toBe("SLUICE_CHROMIUM" in environment)
      if (profile === undefined) continue
      const { defaultAction, syscalls } = JSON.parse(text(profile))
      expect(defaultAction).toBe("SCMP_ACT_ALLOW")
      const refused = syscalls.flatMap(
        ({ action, args, names }: { action: string; args?: object; names: string[] }) => {
          expect(action).toBe("SCMP_ACT_ERRNO")
          return args === undefined ? names : []
        }
      )
      for (const call of ["clone", "clone3", "unshare", "chroot"]) expect(refused).not.toContain(call)
      for (const call of ["mount", "setns", "bpf", "keyctl", "ptrace", "init_module"]) expect(refused).toContain(call)
    }
  })

  it("shows commands that are taken", () => {
    const shown = [...text("compose.yaml").matchAll(/run --rm \w+ (sluice .*)$/gm)].map(([, line = ""]) => line)
    expect(shown.length).toBeGreaterThan(1)
    for (const line of shown) isTaken(line.split(" "))
  })
})
