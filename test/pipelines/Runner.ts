/** Runs the definitions of `pipelines/` as `sluice run` does, over a connection to a real engine. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { makeEarlier as earlierRuns } from "../../src/Cli/Plan/EarlierRuns.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import * as Outbound from "../../src/Client/Outbound.ts"
import * as Transport from "../../src/Client/Transport.ts"
import * as Client from "../../src/Client.ts"
import { prices } from "../../src/Engine/Usage/Usage.ts"
import type * as Engine from "../../src/Engine.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { type Plan, plan } from "../../src/Pipeline/Plan.ts"
import { read } from "../../src/Pipeline/Source.ts"
import { canonicalUrl } from "../../src/Row/Url.ts"
import { serve } from "../../src/Run/LocalSite.ts"
import * as Run from "../../src/Run.ts"
import { local, Tariff } from "../../src/Step/Cost.ts"
import { engine, tempDir } from "../Local.ts"

export const folder = fileURLToPath(new URL("../../pipelines", import.meta.url))

/** The sample site, for as long as the scope is open. */
export const sampleSite = Effect.provide(serve(join(folder, "site")), NodeContext.layer)

/** Client services that talk to an engine. */
export const clientOf = ({ baseUrl, key }: Engine.Engine) =>
  Layer.provide(Client.layer, Connection.layer({ baseUrl, apiKey: key }))

/** The same, with a list of the requests that they send: `POST /v2/scrape`. */
const recordingOf = ({ baseUrl, key }: Engine.Engine) => {
  const requests: Array<string> = []
  const recorded = Layer.map(Transport.layer, (context) =>
    Context.make(
      HttpClient.HttpClient,
      HttpClient.tapRequest(Context.get(context, HttpClient.HttpClient), ({ method, url }) =>
        Effect.sync(() => requests.push(`${method} ${new URL(url).pathname}`))
      )
    )
  )
  const connection = Layer.provide(Connection.layerHttpClient({ baseUrl, apiKey: key }), recorded)
  const here = Outbound.layer({
    allowNetworks: ["127.0.0.0/8"],
    through: HttpClient.tapRequest(({ url }) => Effect.sync(() => requests.push(`API ${url}`)))
  })
  return { requests, layer: Layer.merge(Layer.provide(Client.layer, connection), here) }
}

/** An engine that many tests share, and the sample site, which is in its index. */
export class Gathered extends Context.Tag("sluice/test/pipelines/Gathered")<
  Gathered,
  { readonly local: Engine.Engine; readonly site: string }
>() {}

export const gathered = Layer.scoped(
  Gathered,
  Effect.gen(function* () {
    const [local, site] = [yield* engine(), yield* sampleSite]
    yield* Effect.gen(function* () {
      const crawl = yield* Crawl
      const { id } = yield* crawl.start({ url: `${site}/` })
      yield* Stream.runDrain(crawl.pages(id))
    }).pipe(Effect.provide(clientOf(local)))
    return { local, site }
  })
)

/** Addresses as paths of the site, each in its one spelling. */
export const pathsOf = (site: string, urls: ReadonlyArray<unknown>) =>
  urls.map((url) => (canonicalUrl(String(url)) ?? "").slice(site.length)).sort()

/** Ranks may have gaps, where a hit was another address of a page that came before. */
export const expectAscending = (ranks: ReadonlyArray<number>) => {
  expect(ranks[0]).toBe(1)
  for (const [index, rank] of ranks.entries()) expect(rank).toBeGreaterThan(ranks[index - 1] ?? 0)
}

type Row = Readonly<Record<string, unknown>>

/** Summary of a run, and the rows it wrote. */
interface Ran {
  readonly summary: Run.Summary
  readonly out: string
  /** The rows of a JSONL file. */
  readonly jsonl: (path: string) => ReadonlyArray<Row>
  /** The records of a CSV file, by the names of its header. */
  readonly csv: (path: string) => ReadonlyArray<Readonly<Record<string, string>>>
  /** The lines of the reject file. */
  readonly rejects: ReadonlyArray<Row>
}

const lines = (file: string): ReadonlyArray<Row> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row)

/** Splits records of the default dialect; cells of these tests hold no line ends. */
const cells = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ""
  )

const records = (file: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [header = "", ...rest] = readFileSync(file, "utf8").trimEnd().split("\n")
  const names = cells(header)
  return rest.map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index] ?? "?", cell])))
}

/** Options of a run, beside its inputs. */
interface Given {
  /** The folder of an earlier run, whose ledger the run continues. */
  readonly out?: string
  readonly allowCode?: boolean
}

/** Pages of a crawl for which the definition says no limit. */
const crawlLimit = 10_000

/**
 * Requests of the kinds that a plan names. One that is planned as a GET may be repeated until its job is done, so each
 * address counts once. Nothing else is begun: every POST is in the plan.
 */
const plannedRequests = ({ name, steps }: Plan, requests: ReadonlyArray<string>): number => {
  const kinds = steps.flatMap(({ operation }) => (operation === undefined ? [] : [operation.request]))
  const patterns = kinds.map((kind) => new RegExp(`^${kind.replace("{id}", "[^/]+")}$`))
  const isPlanned = (request: string) => patterns.some((pattern) => pattern.test(request))
  expect(
    requests.filter((request) => request.startsWith("POST ") && !isPlanned(request)),
    `requests of ${name} that are not in its plan`
  ).toEqual([])
  const planned = requests.filter(isPlanned)
  const reads = planned.filter((request) => request.startsWith("GET "))
  const calls = requests.filter((request) => request.startsWith("API "))
  return planned.length - reads.length + new Set(reads).size + calls.length
}

/** Expects the usage of a run to be within its plan; where the plan has no open ends, to equal it. */
const expectPlanned = (
  planned: Plan,
  { credits, rejects, status }: Run.Summary,
  { pages, requests }: { readonly pages: number; readonly requests: ReadonlyArray<string> }
): void => {
  for (const [what, { least, most }, spent] of [
    ["credits", planned.price, credits],
    ["pages", planned.pages, pages],
    ["requests", planned.requests, plannedRequests(planned, requests)]
  ] as const) {
    const message = `${planned.name}: ${spent} ${what}, planned from ${least} to ${most}`
    expect(spent, message).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY)
    if (status === "completed" && rejects === 0) expect(spent, message).toBeGreaterThanOrEqual(least)
  }
}

/** Checks, plans and runs one file of `pipelines/`. */
export const runFile = (
  engine: Engine.Engine,
  name: string,
  inputs: Readonly<Record<string, unknown>> = {},
  given: Given = {}
) => {
  const { layer, requests } = recordingOf(engine)
  return Effect.gen(function* () {
    const out = given.out ?? (yield* tempDir)
    const dataDir = join(out, ".sluice")
    const secrets = () => undefined
    const checked = yield* Effect.flatMap(read(join(folder, name)), (source) =>
      check(source, { inputs, env: {}, secrets, complete: true })
    )
    const { site } = checked.frame
    const address = site === undefined ? undefined : yield* serve(join(checked.source.folder, site))
    const { allowCode } = given
    const run = yield* Run.make(checked, { out, dataDir, env: {}, secrets, site: address, allowCode })
    const planned = yield* Effect.flatMap(earlierRuns, (earlier) =>
      plan(checked, { env: {}, secrets, wanted: undefined, out, tariff: local(prices), crawlLimit, earlier })
    ).pipe(Effect.provide(Sqlite.layer(dataDir)))
    const summary = yield* run.execute.pipe(
      Effect.provide(Sqlite.layer(dataDir)),
      Effect.provideService(Tariff, { rate: local(prices) })
    )
    expectPlanned(planned, summary, { pages: (yield* run.progress).pages, requests })
    const ran: Ran = {
      summary,
      out,
      jsonl: (path) => lines(join(out, path)),
      csv: (path) => records(join(out, path)),
      rejects: summary.rejectFile === undefined ? [] : lines(summary.rejectFile)
    }
    return ran
  }).pipe(Effect.provide(Layer.merge(layer, NodeContext.layer)))
}
