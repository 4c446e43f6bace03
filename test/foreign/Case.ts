/**
 * Cases from outside: faults that users of other tools reported in public, as tables of source, input and expectation.
 *
 * `inputs/pages` has files and small sites (`site.mjs`), `inputs/jobs` has pipelines with their files. A case names the public report it
 * comes from; its input is our own. See "A report from outside" in `docs/contributing.md`.
 */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { tempDir } from "../Local.ts"

/** What every case has; its input and its expectation depend on the area. */
export interface Case {
  /** What is right, as a sentence: the name of the test. */
  readonly name: string
  /** The public reports, such as `w3lib#162`, or `own`. */
  readonly source: string
}

/** The path of an input, such as `pages/18-xlsx/ean-small.xlsx`. */
export const input = (path: string): string => fileURLToPath(new URL(`./inputs/${path}`, import.meta.url))

/** The address that the inputs of a case use for their own site. */
const ownAddress = /127\.0\.[12]\.\d+:76\d\d/g

const isText = /\.(mjs|yaml|yml|json|jsonl|csv|txt|html|xml)$/

/** Copies a folder of inputs into a temporary folder, with `origin` (`127.0.0.1:port`) in place of the address of its site. */
export const copyOf = (path: string, origin = "127.0.0.1:9"): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(tempDir, (folder) => {
    cpSync(input(path), folder, { recursive: true })
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = join(folder, name)
      if (!isText.test(name) || !statSync(file).isFile()) continue
      const bytes = readFileSync(file, "latin1")
      const replaced = bytes.replace(ownAddress, origin)
      if (replaced !== bytes) writeFileSync(file, replaced, "latin1")
    }
    return folder
  })

/** Serves the `site.mjs` of a folder of inputs on a free port; gives its address, `http://127.0.0.1:port`. */
export const foreignSite = (path: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    let answer: Http.RequestListener = (_, response) => response.writeHead(503).end()
    const server = yield* Effect.acquireRelease(
      Effect.async<Http.Server>((resume) => {
        const server = Http.createServer((request, response) => answer(request, response))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const folder = yield* copyOf(path, origin)
    const module = yield* Effect.promise(() => import(/* @vite-ignore */ pathToFileURL(join(folder, "site.mjs")).href))
    answer = module.default
    return `http://${origin}`
  })

class Sites extends Context.Tag("sluice/test/foreign/Sites")<Sites, (path: string) => Effect.Effect<string>>() {}

/** Keeps the sites of a file's cases until its end. */
export const sites = Layer.scoped(
  Sites,
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.cachedFunction((path: string) => Scope.extend(foreignSite(path), scope))
  )
)

/** The site of a folder of inputs, started once: for cases that leave it as it is. */
export const keptSite = (path: string) => Effect.flatMap(Sites, (of) => of(path))
