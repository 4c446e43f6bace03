/** `batchScrape`: scrapes the pages of many rows as one job. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { mostUrls } from "../Api/BatchScrape.ts"
import { PageUrl } from "../Api/Field.ts"
import { fields } from "../Api/ScrapeOptions.ts"
import { BatchScrape } from "../Client/BatchScrape.ts"
import { JsonValue, SavedRow } from "../Row/SavedValue.ts"
import { type Json, type Row, toJson } from "../Row.ts"
import * as Step from "../Step.ts"
import { sendable } from "./Access.ts"
import { pageKey } from "./Call.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { perRow, rowUrl } from "./Field.ts"
import { jobRows } from "./JobRows.ts"
import { loadFields, loadObjections, withLoading } from "./LoadMore.ts"
import { asMember, without } from "./Login.ts"
import * as Requirements from "./Requirements.ts"
import { start } from "./ResumableJob.ts"
import { decodeEntries, decodeState, ordinal } from "./SavedState.ts"
import { BudgetReached } from "./StepError.ts"

/** Input row that requests a page. */
interface Asking {
  readonly address: string
  readonly row: Row
  /** Key of the row's saved entry. */
  readonly entry: string
}

/** The part of an address behind `#` that may be a page of its own, as in `/#/users/1`; empty for other addresses. */
const routeOf = (address: string): string => /#(?:!\/?|\/)[^/].*$/s.exec(address)?.[0] ?? ""

/** Cursor of the step: number of the job, and the position in it. */
const Place = Schema.Struct({
  job: Schema.Number,
  at: Schema.optional(JsonValue),
  /** True once the rows that the service refuses have been resolved. */
  refused: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type Place = typeof Place.Type

const decodePlace = decodeState(Place)
const decodeAsked = decodeEntries(Schema.Struct({ address: Schema.String, row: SavedRow }))

const cost = (fields: Requirements.Fields): Cost.Cost => Cost.page("batchPage", fields)

const budgetReached = new BudgetReached({ message: "the job was cancelled" })

export const batchScrape = Step.make({
  key: "batchScrape",
  summary:
    "Scrapes the pages of all incoming rows as one job; rows flow on as pages are done. `$source` is the incoming row.",
  example: `batchScrape:
  url: { expr: url }
  formats: [markdown, links]`,
  config: Schema.Struct({
    ...fields,
    ...loadFields,
    url: Schema.optionalWith(perRow(PageUrl), { default: rowUrl }).annotations({
      description: "Address of the page; without it, the row's field `url`."
    }),
    maxConcurrency: Schema.optional(Schema.Int.pipe(Schema.positive())).annotations({
      description: "Maximum number of pages that are fetched at once."
    }),
    login: without
  }),
  needs: (fields) => [...Requirements.scrapingMany(fields), ...Requirements.reaching("url")(fields)],
  objections: (fields) => [...Requirements.unknownFormats(fields), ...loadObjections(fields)],
  cost,
  service: { request: "POST /v2/batch/scrape", documented: false },
  // One job reads all rows; a page that several rows request is read only once.
  estimate: ({ config, cost, keys, rows }) => {
    const isRowUrl = Requirements.mapping(config).url === rowUrl()
    const pages = keys === undefined || !isRowUrl ? Estimate.some(rows) : Estimate.exactly(new Set(keys).size)
    const requests = { least: Math.min(1, rows.least), most: rows.most === 0 ? 0 : 1 }
    return { requests, pages, rows, keys, buys: Estimate.bought(cost, pages) }
  },
  nouns: { request: "job" },
  headers: ["headers"],
  formatsAt: ["formats"],
  takesOwnFormat: () => true,
  sites: Requirements.sitesOfRows,
  behaviour: {
    kind: "transform",
    pages: true,
    independent: true,
    expectsRows: true,
    calls: true,
    make: ({ login, url, ...own }, context, saved) =>
      Effect.gen(function* () {
        const client = yield* BatchScrape
        /** Rows that wait for each address; their page is requested only once. */
        const asked = new Map<string, Array<Asking>>()
        let entries: Array<readonly [string, Json | undefined]> = []
        let count = 0
        const ask = (address: string, row: Row, entry: string) => {
          const key = pageKey(address)
          const others = asked.get(key)
          if (others === undefined) asked.set(key, [{ address, row, entry }])
          else others.push({ address, row, entry })
        }
        for (const [entry, { address, row }] of yield* decodeAsked(context, saved)) {
          ask(address, row, entry)
          count = Number(entry) + 1
        }
        const askedBy = (address: string) => (asked.get(pageKey(address)) ?? []).map(({ row }) => row)
        const answered = (addresses: ReadonlyArray<string>) => {
          for (const key of addresses.map(pageKey)) {
            for (const { entry } of asked.get(key) ?? []) entries.push([entry, undefined])
            asked.delete(key)
          }
        }

        const collect = (row: Row) =>
          url.of(row, context.bindings(row)).pipe(
            Effect.tap((address) => sendable(address, context)),
            Effect.tap((address) => {
              const [first] = asked.get(pageKey(address)) ?? []
              return first === undefined || routeOf(first.address) === routeOf(address)
                ? Effect.void
                : new Step.StepError({
                    reason: "SamePage",
                    message: `${address} and ${first.address} differ only behind #, and a batch has one page for both: use the step scrape`
                  })
            }),
            Effect.map((address): ReadonlyArray<Row> => {
              const entry = ordinal(count++)
              ask(address, row, entry)
              entries.push([entry, { address, row: toJson(row) }])
              return []
            }),
            Effect.catchAll((error) => context.failed(row, error))
          )

        /** Reads one job for the waiting rows; pages that a cut job left out are requested by the next job. */
        const read = ({ at, job: number, refused }: Place): Stream.Stream<Step.Batch, Step.StepError, Step.Services> =>
          Stream.unwrapScoped(
            Effect.gen(function* () {
              const urls = [...asked.values()].flatMap(([first]) => (first === undefined ? [] : [first.address]))
              if (urls.length === 0) return Stream.empty
              const options = yield* asMember(own, login, context)
              const job = yield* start(
                {
                  begin: (given, pages) => client.start({ ...withLoading(options), urls: urls.slice(0, pages) }, given),
                  cancel: client.cancel,
                  status: (id) => client.status(id, { limit: 1 }),
                  cost: cost(options),
                  pages: urls.length,
                  name: `job-${number}`
                },
                context
              )
              yield* Effect.logDebug(`${context.id}: batch ${job.id} of ${Math.min(job.pages, job.wanted)} pages`)
              const isLimited = job.pages < job.wanted
              let refusal: Step.StepError | undefined
              /** Puts addresses that the budget cut from this job into the next one, as far as the budget lasts. */
              const rest = Stream.suspend(() => {
                if (asked.size === 0) return Stream.empty
                if (job.isCut) return cut(number + 1, budgetReached)
                if (refusal !== undefined) return cut(number + 1, refusal)
                if (!isLimited || asked.size >= job.wanted) return Stream.empty
                const next: Place = { job: number + 1, at: undefined, refused: false }
                return Stream.concat(Stream.make({ rows: [], cursor: { job: next.job, refused: false } }), read(next))
              })
              const place = (at: Json | undefined): Json => ({ job: number, at, refused: true })
              const invalid = refused ? [] : (job.started.invalidURLs ?? [])
              const failures = invalid.flatMap((address) => {
                const error = new Step.StepError({
                  reason: "InvalidUrl",
                  message: `${address}: the service refuses this address`,
                  attempts: 1
                })
                return askedBy(address).map((row): Step.Failure => [{ ...row, jobId: job.id }, error])
              })
              const pages = jobRows(
                {
                  job,
                  pages: (from) => client.pages(job.id, { from }),
                  errors: client.errors(job.id),
                  bounds: {},
                  askedBy,
                  usedUp: (error) => {
                    refusal = error
                  },
                  answered
                },
                context,
                at
              )
              return Stream.make<[Step.Batch]>({
                rows: [],
                failures,
                cursor: place(at),
                taken: () => answered(invalid)
              }).pipe(
                Stream.concat(Stream.map(pages, (batch) => ({ ...batch, cursor: place(batch.cursor) }))),
                Stream.concat(rest)
              )
            })
          )

        const cut = (next: number, why: Step.StepError) =>
          Stream.concat(Stream.make({ rows: [], cursor: { job: next, refused: false } }), Stream.fail(why))

        return {
          push: (rows) =>
            Effect.flatMap(Effect.forEach(rows, collect), (made) =>
              asked.size <= mostUrls
                ? Effect.succeed(made.flat())
                : new Step.StepError({
                    reason: "TooManyRows",
                    message: `a batch has at most ${mostUrls.toLocaleString("en")} pages, and more rows have come: put the step limit before this step, or use the step scrape, which scrapes pages one by one`
                  })
            ),
          end: (from) =>
            Stream.unwrap(
              Effect.map(decodePlace(context, from), (place) =>
                read(place ?? { job: 1, at: undefined, refused: false })
              )
            ),
          left: () => [...asked.values()].flatMap((rows) => rows.map(({ row }) => row)),
          save: Effect.sync(() => {
            const changed = entries
            entries = []
            return { entries: changed }
          })
        }
      })
  }
})
