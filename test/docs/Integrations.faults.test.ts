/** Files of `docs/integrations` for schedulers, and for shards on several machines. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { deflateSync } from "node:zlib"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Cron } from "croner"
import { parse, parseAllDocuments } from "yaml"
import { source, text, workplace } from "./Integrations.ts"

const { environment, folder, place, remove, rows, run } = workplace()
afterAll(remove)

describe("docs/integrations", () => {
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

  it("github-shards.yml: its jobs hand each other folders as artifacts, hidden files too", async () => {
    const { jobs } = parse(text("github-shards.yml"))
    type Step = { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, string>> }
    const artifacts = new Map<string, string>()
    const job = async (name: string, shard = 0) => {
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
        // A worker of vitest that does not hear its runner for a minute is given up.
        await setImmediate()
        const { status, stderr } = spawnSync("bash", ["-e", "-c", filled(script)], {
          cwd: own,
          env: environment(),
          encoding: "utf8"
        })
        expect(status, stderr).toBe(0)
      }
    }
    await job("source")
    for (const shard of jobs.shard.strategy.matrix.shard) await job("shard", shard)
    await job("merge")
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
})
