/** 200 MB of job status to JSON Lines: the client's stream against a script written by hand, as whole processes. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"

const here = (name: string) => fileURLToPath(new URL(`./StatusStream/${name}`, import.meta.url))
const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const rounds = 5

interface Usage {
  /** Milliseconds. */
  readonly cpu: number
  /** MB, the highest. */
  readonly rss: number
}

const run = promisify(execFile)

const measure = async (script: string, address: string, out: string): Promise<Usage> => {
  const { stdout } = await run(process.execPath, [script, address, id, out])
  return JSON.parse(stdout) as Usage
}

const serve = async (): Promise<{ readonly child: ChildProcess; readonly address: string }> => {
  const child = spawn(process.execPath, [here("server.mjs")], { stdio: ["ignore", "pipe", "inherit"] })
  for await (const address of createInterface({ input: child.stdout })) return { child, address }
  throw new Error("the server of the benchmark did not start")
}

/** As it is shipped: bundled, so that start-up weighs what it weighs for a user. */
const bundle = (outfile: string) =>
  build({
    entryPoints: [here("ours.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }
  })

const digest = async (path: string) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

export const bench = {
  name: "status stream",
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-bench-"))
    const [ours, bare, sdk] = [join(folder, "ours.jsonl"), join(folder, "bare.jsonl"), join(folder, "sdk.jsonl")]
    const script = join(folder, "ours.mjs")
    await bundle(script)
    const { child, address } = await serve()
    try {
      const rows: Array<{ readonly bare: Usage; readonly ours: Usage; readonly sdk: Usage }> = []
      for (let round = 0; round < rounds; round++) {
        rows.push({
          bare: await measure(here("bare.mjs"), address, bare),
          ours: await measure(script, address, ours),
          sdk: await measure(here("sdk.mjs"), address, sdk)
        })
      }
      if ((await digest(ours)) !== (await digest(bare))) throw new Error("the two ways wrote different files")
      const cpu = median(rows.map(({ bare, ours }) => bare.cpu / ours.cpu))
      const rss = median(rows.map(({ bare, ours }) => ours.rss / bare.rss))
      const compared = { unit: "×", target: "for comparison", reached: true }
      return [
        { metric: "CPU of the bare script / ours", value: cpu, unit: "×", target: "≥ 0.80", reached: cpu >= 0.8 },
        { metric: "peak RSS, ours / the bare script", value: rss, unit: "×", target: "≤ 1.3", reached: rss <= 1.3 },
        {
          ...compared,
          metric: "CPU of the bare script / the public SDK",
          value: median(rows.map(({ bare, sdk }) => bare.cpu / sdk.cpu))
        },
        {
          ...compared,
          metric: "peak RSS, the public SDK / the bare script",
          value: median(rows.map(({ bare, sdk }) => sdk.rss / bare.rss))
        }
      ]
    } finally {
      child.kill()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
