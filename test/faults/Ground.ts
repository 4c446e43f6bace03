/** Set-up of the fault tests: the executable, a service that outlives the runs, and a site whose pages can be held back. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { page, tempDir } from "../Local.ts"
import { build, type Launch, launch, type Running, serve } from "./Sluice.ts"

interface Service {
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
}

/** For a file of tests. */
export class Ground extends Context.Tag("sluice/test/faults/Ground")<
  Ground,
  { readonly bin: string; readonly service: Service }
>() {}

export const layer: Layer.Layer<Ground> = Layer.scoped(
  Ground,
  Effect.gen(function* () {
    const bin = yield* build
    const dataDir = yield* tempDir
    const { env } = yield* serve(bin, dataDir)
    return { bin, service: { env, dataDir } }
  })
)

/** Completes when it is so. */
export const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.delay(until(isSo), 5)))

export interface HeldSite {
  readonly server: Server
  readonly url: string
  /** Pages asked for so far. */
  readonly asked: () => number
  /** Waits for so many. */
  readonly wasAsked: (pages: number) => Effect.Effect<void>
  readonly letGo: () => void
}

const pageNumber = /^\/(\d+)$/

/** A site of pages `/0`, `/1`, … that counts what it is asked for; from `from` on, pages wait to be let go. */
export const heldSite = ({
  delay = 40,
  ...options
}: {
  readonly from?: number
  /** Milliseconds, for all pages or by their number. */
  readonly delay?: number | ((index: number) => number)
}) =>
  Effect.acquireRelease(
    Effect.async<HeldSite>((resume) => {
      let from = options.from ?? Number.POSITIVE_INFINITY
      let held: Array<() => void> = []
      let asked = 0
      const server = createServer(({ url = "" }, response) => {
        const match = pageNumber.exec(url)
        const send = () =>
          response
            .writeHead(match === null ? 404 : 200, { "content-type": "text/html" })
            .end(match === null ? "" : page(`Page ${match[1]}`))
        if (match === null) return send()
        asked++
        if (Number(match[1]) >= from) held.push(send)
        else setTimeout(send, typeof delay === "number" ? delay : delay(Number(match[1])))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            server,
            url: `http://127.0.0.1:${port}`,
            asked: () => asked,
            wasAsked: (pages) => until(() => asked >= pages),
            letGo: () => {
              from = Number.POSITIVE_INFINITY
              for (const send of held) send()
              held = []
            }
          })
        )
      })
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

/** A folder of its own with a definition, and what a run leaves in it. */
export interface Scene {
  readonly folder: string
  readonly file: string
  readonly out: string
  readonly data: string
  readonly run: (more?: ReadonlyArray<string>) => Launch
  readonly resume: (id: string, more?: ReadonlyArray<string>) => Launch
  readonly define: (text: string) => void
  /** The text of an output; undefined when it is not there. */
  readonly read: (name: string) => string | undefined
  readonly names: () => ReadonlyArray<string>
}

export const scene = (definition: string): Effect.Effect<Scene, never, Ground | Scope.Scope> =>
  Effect.gen(function* () {
    const { bin, service } = yield* Ground
    const folder = yield* tempDir
    const [file, out, data] = [`${folder}/p.yaml`, `${folder}/out`, `${folder}/data`]
    const define = (text: string) => writeFileSync(file, text)
    define(definition)
    const launched = (words: ReadonlyArray<string>): Launch => ({
      bin,
      cwd: folder,
      env: service.env,
      words: [...words, "--data", data, "--json"]
    })
    return {
      folder,
      file,
      out,
      data,
      define,
      run: (more = []) => launched(["run", file, "--out", out, ...more]),
      resume: (id, more = []) => launched(["resume", id, ...more]),
      read: (name) => (existsSync(`${out}/${name}`) ? readFileSync(`${out}/${name}`, "utf8") : undefined),
      names: () => (existsSync(out) ? readdirSync(out).sort() : [])
    }
  })

/** The JSON that a process printed. */
export const told = ({ out }: { readonly out: string }) => JSON.parse(out)

/** Runs until a sign, then sends SIGINT; the run's id. */
export const stopAt = (begin: Launch, sign: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const running: Running = yield* launch(begin)
    yield* Effect.raceFirst(sign, running.ended)
    running.child.kill("SIGINT")
    const ended = yield* running.ended
    return { ...ended, id: String(told(ended).runId) }
  }).pipe(Effect.scoped)

/** The path of the partial file in a folder. */
export const partialIn = (folder: string): string => {
  const name = readdirSync(folder).find((each) => each.endsWith(".partial"))
  return name === undefined ? "" : `${folder}/${name}`
}

/** Lines of a JSONL file, as the numbers of the pages in it. */
export const numbersIn = (text: string | undefined): ReadonlyArray<number> =>
  (text ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Number(JSON.parse(line).url.split("/").at(-1)))

/** The numbers of so many pages. */
export const firstOf = (pages: number): ReadonlyArray<number> => Array.from({ length: pages }, (_, index) => index)
