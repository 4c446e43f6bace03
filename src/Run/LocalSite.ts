/** Local site of a pipeline (`site`): a folder of pages, served on the loopback interface while the pipeline runs. */
import { createServer } from "node:http"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Path from "@effect/platform/Path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { Permissions, whyNotRead } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { sha256 } from "../Row/Hash.ts"
import { operationOf } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"

/** True if a step calls a service; otherwise no service has to be started. */
export const needsService = ({ nodes }: Checked): boolean =>
  nodes.some(({ config, step }) => operationOf(step, config) !== undefined)

/** Connection for a pipeline that calls no service. */
export const noService = { baseUrl: "http://no-step-declares-a-service.invalid", apiKey: undefined }

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
}

/** Port for a folder: the same in every run, if it is free, so that the folder's pages keep their URLs. */
const usualPort = (folder: string): number => 20_000 + (Number.parseInt(sha256(folder).slice(0, 8), 16) % 10_000)

/** Error of a folder, named in a pipeline's `site`, that cannot be served. */
export class SiteUnavailable extends Data.TaggedError("SiteUnavailable")<{
  readonly folder: string
  readonly reason: string
}> {
  override get message() {
    return `the site ${this.folder} cannot be served: ${this.reason}`
  }
}

/**
 * Serves `folder` on a port of 127.0.0.1 and returns its URL, `http://127.0.0.1:<port>`. `{site}` in text files
 * is replaced by that URL. A file `name.500.html` is the response for `/name.html`, with that status.
 */
export const serve = Trace.fn("Site.serve")(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const root = yield* files
    .realPath(folder)
    .pipe(Effect.mapError(() => new SiteUnavailable({ folder, reason: "there is no such folder" })))
  const permissions = yield* Permissions
  const why = whyNotRead(permissions, root)
  if (why !== undefined) return yield* new SiteUnavailable({ folder, reason: why })
  const all = yield* files
    .readDirectory(root, { recursive: true })
    .pipe(Effect.mapError((error) => new SiteUnavailable({ folder, reason: fileErrorReason(error) })))
  const names = all.filter((name) => whyNotRead(permissions, paths.join(root, name)) === undefined)

  /** Files that were in the folder at the start, by URL path. Only these are served: no path of a request is used for disk access. */
  const routes = new Map<string, { readonly file: string; readonly status: number }>()
  for (const name of names) {
    const match = /^(.*)\.(\d{3})(\.\w+)$/.exec(name)
    const path = `/${(match === null ? name : `${match[1]}${match[3]}`).split(paths.sep).join("/")}`
    const route = { file: paths.join(root, name), status: match === null ? 200 : Number(match[2]) }
    routes.set(path, route)
    if (path.endsWith("/index.html")) routes.set(path.slice(0, -"index.html".length), route)
  }

  const listen = (port: number) => NodeHttpServer.make(createServer, { host: "127.0.0.1", port })
  const server = yield* listen(usualPort(root)).pipe(
    Effect.orElse(() => listen(0)),
    Effect.mapError((error) => new SiteUnavailable({ folder, reason: error.message }))
  )
  const address = HttpServer.formatAddress(server.address).replace("http://0.0.0.0", "http://127.0.0.1")
  yield* server.serve(
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const url = Option.getOrUndefined(HttpServerRequest.toURL(request))
      // A path that cannot be decoded does not match any file.
      const path = Either.try(() => decodeURIComponent(url?.pathname ?? ""))
      const route = Either.isRight(path) ? routes.get(path.right) : undefined
      if (route === undefined)
        return HttpServerResponse.html("<h1>Not found</h1>").pipe(HttpServerResponse.setStatus(404))
      const contentType = contentTypes[paths.extname(route.file).toLowerCase()] ?? "application/octet-stream"
      if (!contentType.includes("charset")) {
        return HttpServerResponse.uint8Array(yield* files.readFile(route.file), { contentType, status: route.status })
      }
      const text = (yield* files.readFileString(route.file)).replaceAll("{site}", address)
      return HttpServerResponse.text(text, { contentType, status: route.status })
    }).pipe(Effect.catchAll((error) => Effect.succeed(HttpServerResponse.text(error.message, { status: 500 }))))
  )
  return address
})
