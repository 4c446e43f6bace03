/** A dashboard over a ledger, and a client for its API that may send any header. */
import * as Http from "node:http"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Dashboard from "../../src/Dashboard.ts"
import { Ledger } from "../../src/Ledger.ts"
import { tokenHeader } from "../../src/Web/Dashboard/Protocol.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { program } from "../Programs.ts"

export interface Answer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Raw body, instead of `body` as JSON. */
  readonly text?: string
}

/** Any header may be set, also `Host`. */
export const ask = (base: string, path: string, { body, headers = {}, method = "GET", text: sent }: Ask) =>
  Effect.async<Answer>((resume) => {
    const request = Http.request(`${base}${path}`, { method, headers, agent: false }, (response) => {
      const blocks: Array<Buffer> = []
      response.on("data", (block: Buffer) => blocks.push(block))
      response.on("end", () => {
        const text = Buffer.concat(blocks).toString()
        const isJson = response.headers["content-type"]?.includes("json") === true
        const json = isJson ? JSON.parse(text) : undefined
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text, json }))
      })
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.end(sent ?? (body === undefined ? undefined : JSON.stringify(body)))
  })

export const tokenOf = ({ url }: Pick<Dashboard.Dashboard, "url">): string => url.split("#token=")[1] ?? ""

/** Starts a dashboard over the ledger at `place`; `folder` is its data and output folder. Uses the real clock. */
export const open = (place: string, folder: string, words: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    // Runs are other processes, so they have their own connection.
    const own = yield* ledgerIn(place)
    const ledger = yield* ledgerIn(place)
    const dashboard = yield* Dashboard.start({
      dataDir: folder,
      definitions: join(folder, "pipelines"),
      out: folder,
      scope: { env: {}, secrets: () => undefined },
      service: undefined,
      command: [process.execPath, program("bin")],
      arguments: ["--data", folder, ...words],
      env: { PATH: process.env.PATH, HOME: folder }
    }).pipe(Effect.provideService(Ledger, own), Effect.provide(NodeContext.layer))
    const { baseUrl } = dashboard
    const token = tokenOf(dashboard)
    const known = { [tokenHeader]: token }
    return {
      ...dashboard,
      ledger,
      token,
      ask: (path: string, how: Ask = {}) => ask(baseUrl, path, how),
      get: (path: string) => ask(baseUrl, path, { headers: known }),
      post: (path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
        ask(baseUrl, path, {
          method: "POST",
          headers: { ...known, origin: baseUrl, "content-type": "application/json", ...headers },
          body
        })
    }
  }).pipe(Effect.withClock(Clock.make()), Effect.orDie)

export interface ReceivedEvent {
  readonly event: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: events are of every shape
  readonly data: any
}

/** Collects events until one matches. */
export const until = (
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  query: string,
  matches: (event: ReceivedEvent) => boolean,
  lastEventId?: string
) =>
  Effect.async<ReadonlyArray<ReceivedEvent>>((resume) => {
    const all: Array<ReceivedEvent> = []
    const headers = { [tokenHeader]: token, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) }
    const request = Http.get(`${baseUrl}/api/events${query}`, { headers, agent: false }, (response) => {
      let text = ""
      response.on("data", (block: Buffer) => {
        text += block.toString()
        const parts = text.split("\n\n")
        text = parts.pop() ?? ""
        for (const part of parts) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1] ?? ""
          if (field("event") === "") continue
          const event = { event: field("event"), id: field("id"), data: JSON.parse(field("data")) }
          all.push(event)
          if (matches(event)) {
            request.destroy()
            resume(Effect.succeed(all))
          }
        }
      })
    })
    request.on("error", () => {})
    return Effect.sync(() => request.destroy())
  })
