/** The HTTP client of the SDK against those of `@effect/platform-node`: small and large answers, 16 at a time, each in a process of its own. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { atLeast, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { measure } from "./Measure/ProcessTree.ts"

const here = (name: string) => fileURLToPath(new URL(`./Transport/${name}`, import.meta.url))
const rounds = 3
const sizes = [
  { words: "2 kB", bytes: 2_000, count: 6_000 },
  { words: "100 kB", bytes: 100_000, count: 1_500 }
]

export const bench: Bench = {
  name: "transport",
  run: async () => {
    const server = fork(here("server.mjs"))
    try {
      const [port] = await once(server, "message")
      const ask = async (name: string, bytes: number, count: number): Promise<{ cpu: number; seconds: number }> => {
        const words = ["--import", "tsx", here("client.ts"), name, `http://127.0.0.1:${port}/${bytes}`, String(count)]
        return JSON.parse((await measure(process.execPath, words, { cwd: here("../..") })).output)
      }
      const figures = []
      for (const { bytes, count, words } of sizes) {
        const turns = []
        for (let round = 0; round < rounds; round++) {
          const ours = await ask("ours", bytes, count)
          const undici = await ask("undici", bytes, count)
          turns.push({ ours, undici, node: await ask("node", bytes, count) })
        }
        const of = medianOf(turns)
        figures.push(
          atLeast(
            `${words}: CPU of NodeHttpClient.layer / ours`,
            of(({ node, ours }) => node.cpu / ours.cpu),
            "",
            1.1
          ),
          noted(
            `${words}: CPU of layerUndici, which decompresses nothing / ours`,
            of(({ ours, undici }) => undici.cpu / ours.cpu),
            ""
          ),
          noted(
            `${words}: requests`,
            of(({ ours }) => count / ours.seconds),
            "/s"
          )
        )
      }
      return figures
    } finally {
      server.kill()
    }
  }
}
