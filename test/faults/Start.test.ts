/** Requests that come while a server starts on a busy machine: the first one that is accepted is answered. */
import { spawn } from "node:child_process"
import { type AddressInfo, connect, createServer } from "node:net"
import * as Effect from "effect/Effect"
import { expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { repetitions } from "../Repetitions.ts"
import { build } from "./Sluice.ts"

/** As measured from outside in `npm run faults`, where nothing runs beside it; otherwise a few, as other tests promise times. */
const starts = repetitions(200, 6)
const busyProcesses = repetitions(6, 2)
/** Milliseconds until an accepted request counts as hung. */
const answerTimeout = 30_000

/** Keeps a processor busy until the scope closes, for half an hour at most. */
const busy = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "for (const end = Date.now() + 1.8e6; Date.now() < end; );"])),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

type Answer = "answered" | "hung" | "refused"

const ask = (port: number) =>
  Effect.async<Answer>((resume) => {
    let said = ""
    let isHung = false
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /health HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`)
    )
    const timer = setTimeout(() => {
      isHung = true
      socket.destroy()
    }, answerTimeout)
    socket.on("data", (bytes) => {
      said += bytes.toString("latin1")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearTimeout(timer)
      resume(Effect.succeed(isHung ? "hung" : said.startsWith("HTTP/1.1 ") ? "answered" : "refused"))
    })
  })

/** Asks without a pause from before the start on; gives what became of the first request that was accepted. */
const first = (bin: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [port, cwd] = yield* Effect.all([freePort, tempDir])
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [bin, "serve", "--port", String(port), "--data", cwd], { cwd, stdio: "ignore" })
        ),
        (child) =>
          Effect.async<void>((resume) => {
            child.once("close", () => resume(Effect.void))
            child.kill("SIGKILL")
          })
      )
      return yield* Effect.repeat(ask(port), { until: (answer) => answer !== "refused" })
    })
  )

live(
  "no request hangs that is accepted while the engine starts",
  function* () {
    const bin = yield* build
    yield* Effect.replicateEffect(busy, busyProcesses)
    const answers: Array<Answer> = []
    for (let at = 0; at < starts; at++) answers.push(yield* first(bin))
    expect(answers.filter((answer) => answer !== "answered")).toEqual([])
  },
  3_600_000
)
