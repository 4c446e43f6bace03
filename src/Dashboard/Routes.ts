/** Routes of the API: decodes requests and encodes responses. `Web/Dashboard/Protocol.ts` describes them. */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { isDeepJson } from "../Api/Depth.ts"
import { faultsOfError, faultText } from "../Api/Issues.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { Ledger } from "../Ledger.ts"
import { version } from "../Version.ts"
import { type About, paths } from "../Web/Dashboard/Protocol.ts"
import { ofData } from "../Web/Serving.ts"
import * as Definitions from "./Definitions.ts"
import { Watch } from "./Events.ts"
import * as Health from "./Health.ts"
import * as Launch from "./Launch.ts"
import * as Outputs from "./Outputs.ts"
import * as Pages from "./Pages.ts"
import * as PageVersions from "./PageVersions.ts"
import * as Pipelines from "./Pipelines.ts"
import * as Queries from "./Queries.ts"
import { once, Query, Refusal, storable } from "./Request.ts"
import * as Runs from "./Runs.ts"
import * as Schedules from "./Schedules.ts"
import * as Service from "./Service.ts"
import { Setup } from "./Setup.ts"
import * as Watches from "./Watches.ts"

const json = (value: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    contentType: "application/json; charset=utf-8",
    headers: ofData
  })

export const refused = (refusal: Refusal) => json(refusal.trouble, refusal.status)

const query = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new Query(new URLSearchParams(url.split("?").slice(1).join("?")))
)

/** Value of a path parameter. */
const part = (name: string) => Effect.map(HttpRouter.params, (params) => storable(params[name] ?? ""))

const answered = <R>(effect: Effect.Effect<unknown, Refusal | LedgerError, R>) =>
  effect.pipe(
    Effect.map((value) => json(value)),
    Effect.catchAll((error) =>
      Effect.succeed(refused(error._tag === "Refusal" ? error : new Refusal({ status: 503, reason: error.message })))
    )
  )

/** Maximum nesting of objects and arrays in a body; inputs of runs are flat. */
const maxDepth = 200

/** Decodes a JSON body; an empty body is `{}`. */
const body = <A, I>(schema: Schema.Schema<A, I>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!/^application\/json(;|$)/i.test(request.headers["content-type"] ?? "")) {
      return yield* new Refusal({ status: 400, reason: "expected content-type: application/json" })
    }
    const text = yield* Effect.mapError(
      request.text,
      () => new Refusal({ status: 413, reason: "the body is too long or incomplete" })
    )
    if (isDeepJson(text, maxDepth)) {
      return yield* new Refusal({ status: 400, reason: `the body is nested more than ${maxDepth} levels deep` })
    }
    return yield* Effect.mapError(
      Schema.decodeUnknown(Schema.parseJson(schema))(text === "" ? "{}" : text),
      (error) => {
        const errors = faultsOfError(error).map(faultText)
        return new Refusal({ status: 400, reason: `the body is invalid: ${errors.join("; ")}` })
      }
    )
  })

const startedAt = Date.now()
/** Milliseconds that a list of definitions waits for its checks. */
const listTime = 100

const about = Effect.gen(function* () {
  const { dataDir, definitions, service } = yield* Setup
  const { isShared, place } = yield* Ledger
  const queries = yield* Queries.ofLedger
  return {
    version,
    dataDir,
    ledger: place,
    definitions: definitions ?? null,
    engine: service?.baseUrl ?? null,
    now: yield* Clock.currentTimeMillis,
    startedAt,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    runs: yield* queries.count,
    ledgerBytes: isShared ? undefined : yield* Runs.sizeOf(place)
  } satisfies About
})

const clusterNow = Effect.flatMap(Setup, ({ cluster }) =>
  cluster === undefined
    ? Effect.succeed(null)
    : Effect.mapError(cluster, ({ message }) => new Refusal({ status: 503, reason: message }))
)

const keepAlive = Duration.seconds(15)

const events = Effect.gen(function* () {
  const watch = yield* Watch
  const request = yield* HttpServerRequest.HttpServerRequest
  const run = (yield* query).text("run", 200)
  const cut = () => void NodeHttpServerRequest.toIncomingMessage(request).socket.destroy()
  const queue = yield* watch.listen(run, request.headers["last-event-id"], cut)
  const comments = Stream.schedule(Stream.repeatValue(": \n\n"), Schedule.spaced(keepAlive))
  const texts = Stream.merge(Stream.fromQueue(queue), comments, { haltStrategy: "left" })
  return HttpServerResponse.stream(Stream.encodeText(texts), {
    contentType: "text/event-stream; charset=utf-8",
    headers: { ...ofData, "x-accel-buffering": "no" }
  })
}).pipe(Effect.catchAll((refusal) => Effect.succeed(refused(refusal))))

const NoBody = Schema.Struct({})
const Pause = Schema.Struct({ why: Schema.optional(Schema.String) })
const id = part("id")
const pipeline = part("pipeline")

type Answer<R> = Effect.Effect<unknown, Refusal | LedgerError, R>

/** Reads one part of the request, such as its body or an id, and answers with what `run` makes of it. */
const of = <A, R, R2>(part: Effect.Effect<A, Refusal, R>, run: (part: A) => Answer<R2>) =>
  answered(Effect.flatMap(part, run))

const ofBoth = <A, B, R, R2, R3>(
  one: Effect.Effect<A, Refusal, R>,
  other: Effect.Effect<B, Refusal, R2>,
  run: (one: A, other: B) => Answer<R3>
) => of(Effect.zip(one, other), ([one, other]) => run(one, other))

const number = part("number")
const resumeOptions = body(Launch.Resume)
const noBody = body(NoBody)

/** Actions on a run, or on a schedule, that need only its name. */
const actOn = <R>(name: typeof id, act: (name: string) => Answer<R>) => ofBoth(noBody, name, (_, name) => act(name))

const aboutRuns = HttpRouter.empty.pipe(
  HttpRouter.get(paths.about, answered(about)),
  HttpRouter.get(paths.runs, of(query, Runs.list)),
  HttpRouter.get(paths.run, of(id, Runs.detail)),
  HttpRouter.get(paths.definition, of(id, Runs.definition)),
  HttpRouter.get(paths.log, ofBoth(id, query, Runs.readLog)),
  HttpRouter.get(paths.rejects, ofBoth(id, query, Runs.rejects)),
  HttpRouter.get(paths.runPages, ofBoth(id, query, Pages.ofRun)),
  HttpRouter.get(
    paths.preview,
    of(Effect.all([id, number, query]), ([id, number, query]) => Outputs.preview(id, number, query))
  ),
  HttpRouter.get(paths.profile, ofBoth(id, number, Outputs.profile)),
  HttpRouter.post(
    paths.replay,
    ofBoth(id, resumeOptions, (id, options) => once(options, Launch.replay(id)))
  ),
  HttpRouter.post(
    paths.resume,
    ofBoth(id, resumeOptions, (id, options) => once(options, Launch.resume(id, options)))
  ),
  HttpRouter.get(paths.health, of(id, Health.health)),
  HttpRouter.post(
    paths.publish,
    ofBoth(id, noBody, (id, options) => once(options, Launch.publish(id)))
  ),
  HttpRouter.post(paths.discard, actOn(id, Launch.discard)),
  HttpRouter.post(paths.stop, actOn(id, Launch.stop))
)

const aboutPipelines = aboutRuns.pipe(
  HttpRouter.get(paths.pipelines, answered(Runs.pipelines)),
  HttpRouter.get(paths.pipeline, of(pipeline, Pipelines.detail)),
  HttpRouter.get(paths.fields, of(pipeline, Pipelines.fields)),
  HttpRouter.get(paths.contract, of(pipeline, Pipelines.contract)),
  HttpRouter.get(paths.state, ofBoth(pipeline, query, Pipelines.state)),
  HttpRouter.get(paths.changes, ofBoth(pipeline, query, Pipelines.changes)),
  HttpRouter.get(paths.definitionDiff, of(query, Pipelines.diff))
)

export const routes = aboutPipelines.pipe(
  HttpRouter.get(paths.pages, of(query, Pages.search)),
  HttpRouter.get(paths.page, of(query, PageVersions.versions)),
  HttpRouter.get(paths.diff, of(query, PageVersions.diff)),
  HttpRouter.get(paths.watches, answered(Watches.list)),
  HttpRouter.get(paths.schedules, answered(Schedules.list)),
  HttpRouter.get(paths.calendar, of(query, Schedules.calendar)),
  HttpRouter.post(paths.pause, ofBoth(pipeline, body(Pause), Schedules.pause)),
  HttpRouter.post(paths.unpause, actOn(pipeline, Schedules.resume)),
  HttpRouter.get(paths.usage, of(query, Service.usage)),
  HttpRouter.get(paths.engine, answered(Service.activity)),
  HttpRouter.get(paths.cluster, answered(clusterNow)),
  HttpRouter.get(paths.definitions, answered(Definitions.listWithin(listTime))),
  HttpRouter.post(
    paths.launch,
    of(body(Launch.Launch), (asked) => once(asked, Launch.launch(asked)))
  ),
  HttpRouter.get(paths.events, events)
)
