/** `GET /health` of the scheduler: 200 while it ticks, else 503; and `GET /metrics`. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import { safely } from "../../Callback.ts"
import { scheduledTimeJson } from "../../Pipeline/Schedule.ts"
import type { SchedulerStatus } from "../../Schedule.ts"
import * as ProcessMetrics from "../../Telemetry/ProcessMetrics.ts"
import * as Prometheus from "../../Telemetry/Prometheus.ts"
import { hasKey } from "../../Telemetry/Prometheus.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { version } from "../../Version.ts"
import * as HttpServer from "../../Web/HttpServer.ts"
import { ListenError } from "../../Web/ListenError.ts"
import { isLoopback, isNamed } from "../../Web/Serving.ts"
import { isoOrNull } from "../Format.ts"

/** Milliseconds without a tick after which the scheduler counts as stalled. It ticks at least every 30 seconds. */
const stallTimeout = 90_000

/** Status code and body of `/health`. */
export const healthOf = (status: SchedulerStatus | undefined, now: number) => {
  if (status === undefined) return { code: 503, body: { status: "starting", version } }
  const isStill = now - status.tickedAt > stallTimeout
  const state = status.draining ? "draining" : isStill ? "stalled" : "ok"
  const broken = [
    ...status.broken.map(({ file }) => file),
    ...status.pipelines.flatMap((each) => (each.broken === undefined ? [] : [each.file]))
  ]
  return {
    code: state === "ok" ? 200 : 503,
    body: {
      status: state,
      version,
      startedAt: isoOrNull(status.startedAt),
      lastTick: isoOrNull(status.tickedAt),
      schedules: status.pipelines.length,
      paused: status.pipelines.filter(({ pausedAt }) => pausedAt !== undefined).length,
      broken: [...new Set(broken)],
      next: isoOrNull(status.next),
      running: status.running.map(({ scheduledTime, pipeline, runId }) => ({
        pipeline,
        ...scheduledTimeJson(scheduledTime),
        run: runId ?? null
      })),
      waiting: status.waiting,
      trouble: status.trouble ?? null
    }
  }
}

interface Place {
  readonly host: string
  readonly port: number
  /** Key of `/metrics`. Without one, `/metrics` answers on loopback only. */
  readonly metricsKey?: Redacted.Redacted | undefined
}

const listen = (server: Server, { host, port }: Place) =>
  Effect.async<number, ListenError>((resume) => {
    server.once(
      "error",
      safely(
        (cause) => resume(new ListenError({ what: "the server of /health", host, port, cause })),
        (cause) => resume(Effect.die(cause))
      )
    )
    server.listen(
      port,
      host,
      safely(
        () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
        },
        (cause) => resume(Effect.die(cause))
      )
    )
  })

/** Reason to refuse a request for metrics; undefined when it is allowed. */
const whyNot = ({ host, metricsKey }: Place, authorization: string | undefined): string | undefined => {
  if (metricsKey === undefined) {
    return isLoopback(host)
      ? undefined
      : "metrics need a key at an address that other machines can reach: set SLUICE_METRICS_KEY and send it as Authorization: Bearer …"
  }
  return hasKey(metricsKey)(authorization) ? undefined : "metrics need their key: Authorization: Bearer …"
}

/** Serves until the scope closes, even while runs finish. Returns the port. */
export const serve = Trace.fn("Schedule.health")(function* (
  place: Place,
  status: Effect.Effect<SchedulerStatus | undefined>
) {
  const runtime = yield* Effect.runtime()
  const answer = Effect.gen(function* () {
    return healthOf(yield* status, yield* Clock.currentTimeMillis)
  })
  yield* ProcessMetrics.watch
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const answerMetrics = () => {
      const refused = whyNot(place, request.headers.authorization)
      if (refused !== undefined) return send(place.metricsKey === undefined ? 403 : 401, { error: refused })
      Runtime.runCallback(runtime)(Prometheus.text, {
        onExit: (exit) => {
          if (exit._tag === "Failure") return send(503, { status: "stalled", version })
          response.writeHead(200, { "content-type": Prometheus.contentType, "cache-control": "no-store" })
          response.end(request.method === "HEAD" ? undefined : exit.value)
        }
      })
    }
    const send = (code: number, body: unknown) => {
      const text = `${JSON.stringify(body)}\n`
      response.writeHead(code, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        "cache-control": "no-store"
      })
      response.end(request.method === "HEAD" ? undefined : text)
    }
    request.resume()
    if (!isNamed(place.host, request.headers.host)) {
      return send(403, {
        error: "only requests to localhost and 127.0.0.1 are answered; --health-host listens on another address"
      })
    }
    const path = request.url?.split("?")[0]
    if (path !== "/health" && path !== "/metrics") return send(404, { error: "there are only /health and /metrics" })
    if (request.method !== "GET" && request.method !== "HEAD") return send(405, { error: "only GET is answered" })
    if (path === "/metrics") return answerMetrics()
    Runtime.runCallback(runtime)(answer, {
      onExit: (exit) =>
        exit._tag === "Success" ? send(exit.value.code, exit.value.body) : send(503, { status: "stalled", version })
    })
  }
  const { open, server } = HttpServer.make({ requestTimeout: 10_000, headersTimeout: 10_000 })
  server.on(
    "request",
    safely(handle, (_, [, response]) => response.destroy())
  )
  server.maxConnections = 64
  open()
  return yield* Effect.acquireRelease(listen(server, place), () =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
  )
})
