/** Sends requests with one of the HTTP clients, 16 at a time, and prints its seconds and milliseconds of CPU: `client.ts NAME URL COUNT`. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Transport from "../../src/Client/Transport.ts"

const layers = { ours: Transport.layer, undici: NodeHttpClient.layerUndici, node: NodeHttpClient.layer }

const [name = "ours", url = "", count = "1"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient
  const once = Effect.scoped(Effect.flatMap(client.get(url), (answer) => answer.json))
  const all = (many: number) =>
    Effect.forEach(Array.from({ length: many }), () => once, { concurrency: 16, discard: true })
  yield* all(Math.ceil(Number(count) / 10))
  const [cpu, begin] = [process.cpuUsage(), performance.now()]
  yield* all(Number(count))
  const { system, user } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000, cpu: (system + user) / 1000 }))
})

await Effect.runPromise(Effect.provide(program, layers[name as keyof typeof layers]))
