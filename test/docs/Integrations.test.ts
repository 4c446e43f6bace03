/** Files of `docs/integrations`, carried out with the tools that they are for, as far as npm or Debian has them. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { deflateSync } from "node:zlib"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Cron } from "croner"
import { parse, parseAllDocuments } from "yaml"
import { root } from "./Pages.ts"
import { project } from "./Session.ts"

const source = `${root}docs/integrations`
const text = (name: string): string => readFileSync(`${source}/${name}`, "utf8")

let place = ""
let folder = ""
beforeAll(() => {
  place = mkdtempSync(`${tmpdir()}/sluice-integrations-`)
  folder = project(place)
  cpSync(source, folder, { recursive: true })
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${place}/bin:${process.env.PATH}`,
  NO_COLOR: "1",
  ...more
})

/** Runs a program in the project. */
const run = (name: string, words: ReadonlyArray<string>, more?: Readonly<Record<string, string>>) => {
  const { status, stderr, stdout } = spawnSync(name, words, { cwd: folder, env: environment(more), encoding: "utf8" })
  return { status, stderr, stdout }
}

const rows = (file: string): ReadonlyArray<{ readonly sku: string; readonly price: number }> =>
  readFileSync(`${folder}/${file}`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

const isThere = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined

describe("docs/integrations", () => {
  it.skipIf(!isThere("make"))(
    "Makefile: make runs what is out of date, and nothing else",
    () => {
      const first = run("make", ["check", "all"])
      expect(first.status, first.stderr).toBe(0)
      expect(rows("landing/products/prices.jsonl")).toHaveLength(4)
      expect(run("make", ["all"]).stdout).toContain("Nothing to be done")
    },
    180_000
  )

  it("action.yml: runs a pipeline and has its outputs", () => {
    const action = parse(text("action.yml"))
    expect(action.runs.using).toBe("composite")
    // The published schema of actions asks both of every input.
    for (const input of Object.values(action.inputs)) {
      expect(input).toEqual(expect.objectContaining({ description: expect.any(String), required: expect.any(Boolean) }))
    }
    const [step] = action.runs.steps
    const given: Readonly<Record<string, string>> = {
      pipeline: "products.yaml",
      out: "of-action",
      data: ".sluice-action",
      arguments: "--backfill\n"
    }
    // What GitHub does with the expressions of `env`; none stands in the script, where it would be run.
    const env = Object.fromEntries(
      Object.entries<string>(step.env).map(([name, value]) => {
        const [, input = ""] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value) ?? []
        expect(Object.keys(action.inputs)).toContain(input)
        return [name, given[input] ?? ""]
      })
    )
    expect(step.run).not.toContain("${{")
    mkdirSync(`${folder}/runner`)
    const files = { GITHUB_OUTPUT: `${folder}/runner/output`, GITHUB_STEP_SUMMARY: `${folder}/runner/summary` }
    const { status, stderr } = run("bash", ["-eo", "pipefail", "-c", step.run], {
      ...env,
      ...files,
      RUNNER_TEMP: `${folder}/runner`
    })
    expect(status, stderr).toBe(0)
    const outputs = Object.fromEntries(
      readFileSync(files.GITHUB_OUTPUT, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("="))
    )
    expect(outputs).toMatchObject({ status: "completed", rows: "4", rejects: "1" })
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort())
    for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs)) {
      expect(value).toBe(`\${{ steps.${step.id}.outputs.${name} }}`)
    }
  }, 120_000)

  it("gitlab-ci.yml: the job's script runs as it stands", () => {
    const { products: job } = parse(text("gitlab-ci.yml"))
    expect(Object.keys(job)).toEqual(expect.arrayContaining(["image", "rules", "script", "artifacts", "cache"]))
    const { status, stderr, stdout } = run("bash", ["-eo", "pipefail", "-c", job.script.join("\n")])
    expect(status, stderr).toBe(0)
    expect(stdout).toContain("completed")
    for (const path of job.artifacts.paths) expect(existsSync(`${folder}/${path}`)).toBe(true)
  }, 120_000)

  it("products.cron: the line has a valid time, and its command runs", () => {
    const [line = ""] = text("products.cron")
      .split("\n")
      .filter((each) => /^\d/.test(each))
    const [, time = "", command = ""] = /^((?:\S+ ){4}\S+) (.*)$/.exec(line) ?? []
    expect(new Cron(time, { mode: "5-part" }).nextRun()).not.toBeNull()
    // cron ends a command at a percent sign.
    expect(command).not.toContain("%")
    const { status, stderr } = run("sh", ["-c", command.replace("/srv/warehouse", folder)])
    expect(status, stderr).toBe(0)
  }, 120_000)

  it("products.sql and sources.yml: DuckDB reads the outputs, also where dbt says they are", async () => {
    const ran = run("npx", ["--no-install", "sluice", "run", "products.yaml", "--out", "landing", "--quiet"])
    expect(ran.status, ran.stderr).toBe(0)
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    const before = process.cwd()
    const inFolder = (sql: string) => sql.replaceAll("landing/", `${folder}/landing/`)
    const figures = (await connection.runAndReadAll(inFolder(text("products.sql")))).getRowObjectsJson()
    expect(figures).toEqual([{ products: "4", mean: 7.94 }])
    expect(process.cwd()).toBe(before)
    const [landing] = parse(text("sources.yml")).sources
    for (const { columns, name } of landing.tables) {
      const location = landing.meta.external_location.replaceAll("{name}", name)
      const found = (await connection.runAndReadAll(inFolder(`SELECT * FROM ${location}`))).columnNames()
      expect(found).toEqual(expect.arrayContaining(columns.map((column: { name: string }) => column.name)))
    }
  }, 120_000)

  /** Prices of the products in the outputs of shards, in their order. */
  const merged = (landing: string): ReadonlyArray<string> =>
    readdirSync(`${folder}/${landing}/products`)
      .toSorted()
      .flatMap((file) => rows(`${landing}/products/${file}`).map(({ sku }) => sku))

  it("kubernetes-indexed-job.yaml: pods at the same time, one of them killed and started again, and the merge behind them", async () => {
    const [job, merge] = parseAllDocuments(text("kubernetes-indexed-job.yaml")).map((each) => each.toJS())
    expect(job.spec.completionMode).toBe("Indexed")
    expect(merge.spec.suspend).toBe(true)
    /** The process of a pod. Volumes are folders of this machine. */
    const pod = ({ spec: { template } }: typeof job, more: Readonly<Record<string, string>> = {}) => {
      const [container] = template.spec.containers
      const env = Object.fromEntries(
        container.env.map(({ name, value }: { name: string; value: string }) => [name, value])
      )
      const words = container.args.map((word: string) =>
        word.replaceAll("/tmp/sluice", `${place}/pod-${more.JOB_COMPLETION_INDEX}`)
      )
      const child = spawn(container.command[0], [...container.command.slice(1), ...words], {
        cwd: folder,
        env: environment({ ...env, SHARED: env.SHARED.replace("/state", `${folder}/state`), ...more }),
        stdio: ["ignore", "ignore", "pipe"],
        detached: true
      })
      let said = ""
      child.stderr.setEncoding("utf8").on("data", (part: string) => (said += part))
      return { child, ended: once(child, "close").then(([code]) => `${code}${said}`) }
    }
    const index = (number: number) => ({ JOB_COMPLETION_INDEX: String(number) })
    const count = Number(job.spec.completions)
    mkdirSync(`${folder}/state/landing`, { recursive: true })
    const lost = pod(job, index(0))
    await sleep(300)
    // The pod and all that it has started.
    process.kill(-(lost.child.pid ?? 0), "SIGKILL")
    await lost.ended
    const pods = Array.from({ length: count }, (_, number) => pod(job, index(number)).ended)
    expect(await Promise.all(pods)).toEqual(Array.from({ length: count }, () => "0"))
    expect(await pod(merge).ended).toBe("0")
    expect(merged("state/landing")).toEqual(["A1", "A2", "A3", "B1"])
  }, 300_000)

  it("slurm.sh: an array of jobs at the same time, and the merge when all have succeeded", () => {
    // What sbatch does with these flags: jobs of an array run at the same time, and a dependency runs after them.
    const sbatch = `#!/bin/bash
while [ $# -gt 0 ]; do case "$1" in
  --array=1-*) count="\${1#--array=1-}" ;;
  --dependency=afterok:7) [ -e "${place}/array-7" ] || exit 1 ;;
  --wrap) script="$2"; shift ;;
esac; shift; done
[ -n "$count" ] || exec bash -c "$script"
jobs=()
for task in $(seq "$count"); do
  SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task bash -c "$script" >&2 & jobs+=($!)
done
for job in "\${jobs[@]}"; do wait "$job" || exit 1; done
touch "${place}/array-7"
echo 7
`.replaceAll("\\$", "$")
    writeFileSync(`${place}/bin/sbatch`, sbatch, { mode: 0o755 })
    rmSync(`${folder}/landing`, { recursive: true, force: true })
    mkdirSync(`${folder}/landing`)
    const { status, stderr } = run("sh", ["slurm.sh"], { TMPDIR: place })
    expect(status, stderr).toBe(0)
    expect(merged("landing")).toEqual(["A1", "A2", "A3", "B1"])
  }, 300_000)

  it("github-shards.yml: its jobs hand each other folders as artifacts, hidden files too", () => {
    const { jobs } = parse(text("github-shards.yml"))
    type Step = { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, string>> }
    const artifacts = new Map<string, string>()
    const job = (name: string, shard = 0) => {
      const own = `${place}/github-${name}-${shard}`
      cpSync(source, own, { recursive: true })
      mkdirSync(`${own}/landing`)
      const filled = (words: string) => words.replaceAll("${{ matrix.shard }}", String(shard))
      for (const { run: script, uses = "", with: given = {} } of jobs[name].steps as ReadonlyArray<Step>) {
        if (uses.startsWith("actions/upload-artifact")) {
          const kept = `${own}-artifact-${given.name === "products" ? "outputs" : "landing"}`
          const hasHidden = String(given["include-hidden-files"]) === "true"
          cpSync(`${own}/${given.path}`, kept, { recursive: true, filter: (path) => hasHidden || !path.includes("/.") })
          artifacts.set(filled(given.name ?? ""), kept)
        }
        if (uses.startsWith("actions/download-artifact")) {
          for (const [artifact, kept] of artifacts) {
            const isMeant =
              given.pattern === undefined ? artifact === given.name : artifact.startsWith(given.pattern.slice(0, -1))
            if (isMeant) cpSync(kept, `${own}/${given.path}`, { recursive: true })
          }
        }
        if (script === undefined || script === "npm ci") continue
        const { status, stderr } = spawnSync("bash", ["-e", "-c", filled(script)], {
          cwd: own,
          env: environment(),
          encoding: "utf8"
        })
        expect(status, stderr).toBe(0)
      }
    }
    job("source")
    for (const shard of jobs.shard.strategy.matrix.shard) job("shard", shard)
    job("merge")
    const outputs = artifacts.get("products") ?? ""
    expect(readdirSync(`${outputs}/products`)).toEqual(
      ["0000", "0001", "0002", "0003"].map((part) => `prices.${part}.jsonl`)
    )
  }, 300_000)

  it("sluice-pipes.mjs: tells Dagster what it has made, in the messages of its protocol", () => {
    const encode = (value: unknown) => deflateSync(JSON.stringify(value)).toString("base64")
    const file = `${folder}/messages`
    const { status, stderr } = run("node", ["sluice-pipes.mjs", "products.yaml", "of-dagster"], {
      DAGSTER_PIPES_CONTEXT: encode({ data: { asset_keys: ["products"], extras: {} } }),
      DAGSTER_PIPES_MESSAGES: encode({ path: file })
    })
    expect(status, stderr).toBe(0)
    const messages = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    for (const message of messages) {
      expect(Object.keys(message).sort()).toEqual(["__dagster_pipes_version", "method", "params"])
    }
    expect(messages.map(({ method }) => method)).toEqual([
      "opened",
      "log",
      "log",
      "report_asset_materialization",
      "closed"
    ])
    const { metadata } = messages[3].params
    expect(metadata.rows).toEqual({ type: "int", raw_value: 4 })
    expect(metadata.rejects).toEqual({ type: "int", raw_value: 1 })
    const wrong = run("node", ["sluice-pipes.mjs", "missing.yaml", "of-dagster"])
    expect(wrong.status).toBe(1)
    expect(wrong.stdout).toContain('"method":"closed","params":{"exception"')
  }, 120_000)

  it("the programs for Airflow and Dagster are valid Python", () => {
    if (!isThere("python3")) return
    for (const name of readdirSync(source).filter((each) => each.endsWith(".py"))) {
      execFileSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", `${source}/${name}`])
    }
  })
})
