/** A collector on loopback: takes OTLP as JSON, keeps what it was sent, and can be asked about it. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message?: string }
}

export interface Collector {
  readonly url: string
  /** Everything as it came, headers included. */
  readonly raw: () => string
  readonly headers: () => ReadonlyArray<Http.IncomingHttpHeaders>
  readonly spans: () => ReadonlyArray<Span>
  readonly metrics: () => ReadonlySet<string>
  readonly logs: () => ReadonlyArray<{ readonly body: string; readonly traceId: string | undefined }>
  readonly resources: () => ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (pairs: ReadonlyArray<KeyValue>) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))

/** `answer` may refuse, or never answer. */
export const collector = (
  answer: (response: Http.ServerResponse) => void = (response) => void response.writeHead(200).end("{}")
): Effect.Effect<Collector, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly collector: Collector }>((resume) => {
      const received: Array<{
        readonly path: string
        readonly headers: Http.IncomingHttpHeaders
        // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
        readonly json: any
      }> = []
      const server = Http.createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          received.push({
            path: request.url ?? "",
            headers: request.headers,
            json: JSON.parse(Buffer.concat(chunks).toString())
          })
          answer(response)
        })
      })
      const of = (path: string) => received.filter((each) => each.path === path).map(({ json }) => json)
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            server,
            collector: {
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
              raw: () => JSON.stringify(received.map(({ json, path }) => ({ json, path }))),
              headers: () => received.map(({ headers }) => headers),
              spans: () =>
                of("/v1/traces")
                  .flatMap(({ resourceSpans }) => resourceSpans)
                  .flatMap(({ scopeSpans }) => scopeSpans)
                  .flatMap(({ spans }) => spans)
                  .map((span) => ({ ...span, attributes: attributesOf(span.attributes) })),
              metrics: () =>
                new Set(
                  of("/v1/metrics")
                    .flatMap(({ resourceMetrics }) => resourceMetrics)
                    .flatMap(({ scopeMetrics }) => scopeMetrics)
                    .flatMap(({ metrics }) => metrics)
                    .map(({ name }) => name)
                ),
              logs: () =>
                of("/v1/logs")
                  .flatMap(({ resourceLogs }) => resourceLogs)
                  .flatMap(({ scopeLogs }) => scopeLogs)
                  .flatMap(({ logRecords }) => logRecords)
                  .map(({ body, traceId }) => ({ body: String(Object.values(body)[0]), traceId })),
              resources: () =>
                of("/v1/traces")
                  .flatMap(({ resourceSpans }) => resourceSpans)
                  .map(({ resource }) => attributesOf(resource.attributes))
            }
          })
        )
      )
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map(({ collector }) => collector))
