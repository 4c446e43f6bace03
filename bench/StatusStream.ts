/** 200 MB of job status to JSON Lines: the client's stream against a script written by hand, as whole processes. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { atLeast, atMost, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { bundle, folderFor, ready, remove, stop, type Usage } from "./Measure/Programs.ts"

const here = (name: string) => fileURLToPath(new URL(`./StatusStream/${name}`, import.meta.url))
const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const rounds = 5

const run = promisify(execFile)

const measure = async (script: string, address: string, out: string): Promise<Usage> => {
  const { stdout } = await run(process.execPath, [script, address, id, out])
  return JSON.parse(stdout) as Usage
}

const digest = async (path: string) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

export const bench: Bench = {
  name: "status stream",
  run: async () => {
    const folder = folderFor()
    const [ours, bare, sdk] = [join(folder, "ours.jsonl"), join(folder, "bare.jsonl"), join(folder, "sdk.jsonl")]
    const script = join(folder, "ours.mjs")
    await bundle(here("ours.ts"), script)
    const { child, line: address } = await ready([here("server.mjs")])
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
      const of = medianOf(rows)
      return [
        atLeast(
          "CPU of the bare script / ours",
          of(({ bare, ours }) => bare.cpu / ours.cpu),
          "×",
          0.8
        ),
        atMost(
          "peak RSS, ours / the bare script",
          of(({ bare, ours }) => ours.rss / bare.rss),
          "×",
          1.3
        ),
        noted(
          "CPU of the bare script / the public SDK",
          of(({ bare, sdk }) => bare.cpu / sdk.cpu),
          "×"
        ),
        noted(
          "peak RSS, the public SDK / the bare script",
          of(({ bare, sdk }) => sdk.rss / bare.rss),
          "×"
        )
      ]
    } finally {
      await stop(child)
      remove(folder)
    }
  }
}
