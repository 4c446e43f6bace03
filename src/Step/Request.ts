/**
 * `request`: reads the rows of an API, page by page.
 *
 * - A response is stored in the ledger before its rows are returned, and dropped with the checkpoint that contains them: a resumed run
 *   repeats only the request in flight, and returns each row once. A response to a call that only reads is dropped, too, if it cannot
 *   be read. If rows of it were given, as many rows of the next response are skipped, and `since` stays where it is.
 * - At most one page is in memory, and only a piece of a large one.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Pull, streamOf } from "../Callback/Pull.ts"
import type { Json } from "../Row.ts"
import * as Step from "../Step.ts"
import { sendable } from "./Access.ts"
import * as Estimate from "./Estimate.ts"
import { type Auth, signIn } from "./Request/Auth.ts"
import { RequestConfig } from "./Request/Config.ts"
import type { Caller, Outgoing, Received, SignIn } from "./Request/Exchange.ts"
import { type LargeAnswer, openSpool } from "./Request/Large.ts"
import type { Single } from "./Request/Member.ts"
import { type Answered, endAt, type Following, firstPlace, follow, Place } from "./Request/Next.ts"
import { isRead, largeOf, outgoingOf, pageOf, pieceOf, prepare } from "./Request/Page.ts"
import type { send } from "./Request/Send.ts"
import { everything, open, Seen, seenNothing, seenWithGap } from "./Request/Since.ts"
import { conditional, isUnchanged, noteUnchanged } from "./Request/Unchanged.ts"
import { mapping } from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"
import { StepError } from "./StepError.ts"

/** Maximum rows in a batch. */
const rowsPerBatch = 1_000

const Cursor = Schema.Union(Schema.Struct({ place: Place, seen: Seen }), Schema.Struct({ done: Schema.Literal(true) }))
const decodeCursor = decodeState(Cursor)

type State = ReadonlyArray<Step.StateChange>

/** Failures for which a resume asks again, because the answer may be at fault. For all others, the stored answer is read again. */
const faultsOfAnswers: ReadonlySet<string> = new Set(["AnswerInvalid", "GraphQLError", "RowsMissing"])

/** Next page to read, and the values of `since` seen so far. A large response is read in pieces. */
type Reached = { readonly place: Place; readonly seen: Seen; readonly large?: LargeAnswer | undefined }

/** Rows of a page, and the state changes that belong to them. */
type Given = { readonly batch: Step.Batch; readonly state: State }

/** Result of reading at a place: what it gives, and where the read goes on. */
interface Read {
  readonly following: Reached | undefined
  readonly given: ReadonlyArray<Given>
}

/** The end of a read, without more rows. */
const noRows = (state: State): Given => ({ batch: { rows: [], cursor: { done: true }, dropsAnswers: true }, state })

const toJson = ({ place, seen }: Reached): Json => ({ place, seen })

/** Booking of a call, which the ledger records as a page. */
const bookingOf = ({ method, url }: Outgoing, { status }: Received): Step.Booking => ({
  credits: 0,
  page: {
    key: method === "GET" ? url : `${method} ${url}`,
    status,
    unchanged: status === 304 ? "not-modified" : undefined,
    credits: 0,
    price: "known"
  }
})

/** Sign-ins by the `auth` fields of their step: all rows of a step share a token. */
const signIns = new WeakMap<Auth, SignIn>()

const signInOf = (auth: Auth | undefined, context: Caller["context"], ask: typeof send): SignIn => {
  const known = auth && signIns.get(auth)
  if (known !== undefined) return known
  const made = signIn(auth, (outgoing, own) =>
    // Runs share the sign-in, so none of them may stop it for the others.
    ask(outgoing, {
      home: outgoing.url,
      signIn: () => Effect.succeed(own),
      context: { ...context, isStopped: () => false, stopRequested: Effect.never }
    })
  )
  if (auth !== undefined) signIns.set(auth, made)
  return made
}

/** Session of the definition's `login`, for a step that is signed in with it. */
const memberOf = (
  { login }: { readonly login?: false | undefined },
  context: Step.Context,
  once: Effect.Effect<Single>
) =>
  Effect.gen(function* () {
    if (context.login === undefined || login === false) return undefined
    const { sessionOf } = yield* Effect.promise(() => import("./Request/Member.ts"))
    const session = yield* sessionOf(context.login, yield* once)
    if (session === undefined)
      yield* context.warnOnce(
        "login",
        "the login by code only works in a browser, so calls are sent without it: sign in with auth or headers, or write login: false"
      )
    return session
  })

/** Batches of a read that begins at a place. */
const pullOf = (
  begin: Reached,
  read: (reached: Reached) => Effect.Effect<Read, StepError, Step.LocalServices>,
  isRepeatable: boolean,
  { state }: Step.Context
): Pull<Step.Batch, StepError, Step.LocalServices> => {
  let reached: Reached | undefined = begin
  const pending: Array<Given> = []
  let failure: StepError | undefined
  const next: Pull<Step.Batch, StepError, Step.LocalServices> = Effect.suspend(() => {
    const given = pending.shift()
    // The state of each batch is staged just before the batch is returned: batches that are never returned, for example because a budget
    // ends the run, leave no state.
    if (given !== undefined) {
      const batch = Effect.succeed(Chunk.of(given.batch))
      return given.state.length === 0 ? batch : Effect.zipRight(state.put(given.state), batch)
    }
    if (failure !== undefined) return Effect.fail(Option.some(failure))
    if (reached === undefined) return Effect.fail(Option.none())
    const at = reached
    return Effect.matchEffect(read(at), {
      onFailure: (error) => {
        // A call that may have changed something is not made again.
        if (!faultsOfAnswers.has(error.reason) || !isRepeatable) return Effect.fail(Option.some(error))
        failure = error
        // The rows may have moved in the next answer.
        const again = at.place.given === 0 ? at : { ...at, seen: seenWithGap(at.seen) }
        return Effect.succeed(Chunk.of({ rows: [], cursor: toJson(again), dropsAnswers: true }))
      },
      onSuccess: ({ following, given }) => {
        reached = following
        for (const each of given) pending.push(each)
        return next
      }
    })
  })
  return next
}

export const request = Step.make({
  key: "request",
  summary:
    "Gives the rows of an API that answers with JSON, JSON Lines, CSV or XML, page by page; with `each: true`, for each row.",
  example: `request:
  url: https://api.example.com/v2/items
  query: { status: open }
  rows: data.items
  next: { cursor: { param: after, from: paging.next } }`,
  config: RequestConfig,
  headers: ["headers"],
  credentials: "auth",
  sites: (fields) => (typeof mapping(fields).url === "string" ? undefined : "rows"),
  estimate: ({ config, times, wanted }) => {
    const { next } = mapping(config)
    const pages = next === undefined ? 1 : Estimate.numberOf(mapping(next).pages)
    const requests = Estimate.times(times, { least: 1, most: pages })
    return { requests, pages: requests, rows: Estimate.times(times, Estimate.upTo(wanted)), buys: [] }
  },
  state: (fields) => {
    const { since, skipUnchanged } = mapping(fields)
    if (since !== undefined) return { skipsSeen: true, otherwise: "leave out its since" }
    return skipUnchanged === true ? { skipsSeen: true, otherwise: "leave out its skipUnchanged" } : undefined
  },
  nouns: { request: "call", page: "call" },
  note: "calls of an API cost no credits, and `budget.calls` counts them",
  behaviour: {
    kind: "source",
    read: (config, context, { from, row }) =>
      streamOf(
        Effect.gen(function* () {
          const { send: ask, signInOnce } = yield* Effect.promise(() => import("./Request/Send.ts"))
          const saved = yield* decodeCursor(context, from)
          if (saved !== undefined && "done" in saved) return Effect.fail(Option.none())
          const incoming = row ?? { data: {} }
          const bindings = context.bindings(incoming)
          const prepared = yield* prepare(config, incoming, bindings)
          yield* sendable(prepared.url, context)
          if (config.auth?.oauth !== undefined) yield* sendable(config.auth.oauth.tokenUrl, context, "tokenUrl")
          const caller: Caller = {
            home: prepared.url,
            signIn: signInOf(config.auth, context, ask),
            rate: config.rate,
            member: yield* memberOf(config, context, signInOnce),
            context
          }

          const since = config.since === undefined ? everything : yield* open(config.since, context, row)

          const { folder, spool } = yield* openSpool(context.scratch)

          /** Ends a page: warns if rows may be missing, and finds the state changes that belong to the page's last rows. */
          const ending = Effect.fnUntraced(function* (
            { cut, doubt, place: next, repeated = false }: Following,
            remembered: State
          ) {
            if (doubt !== undefined) yield* context.warnOnce("next", doubt)
            if (cut !== undefined) {
              yield* context.warnOnce("pages", `${prepared.url}: ${cut.why}`)
              yield* context.incomplete(cut.reason)
              yield* since.warnOfMany
            }
            const isLast = cut === undefined && next === undefined
            const ended = (seen: Seen): Pick<Given, "state"> & { readonly following: Reached | undefined } => ({
              state: isLast ? [...since.finish(seen), ...remembered] : [],
              following: next && { place: next, seen }
            })
            return { ended, repeated }
          })
          const endOf = (place: Place, answered: Answered, remembered: State) =>
            Effect.flatMap(follow(config.next, place, answered), (following) => ending(following, remembered))

          /** Reads the next rows of a large response. */
          const readPiece = Effect.fnUntraced(function* ({ place, seen }: Reached, large: LargeAnswer) {
            const { answered, failures, isWhole, rows } = yield* pieceOf(config, large, row, bindings, context, place)
            const end = answered && (yield* endOf(place, answered, []))
            const taken = yield* since.take(rows, isWhole ? seen : seenWithGap(seen))
            const { following, state } = end?.ended(taken.seen) ?? {
              state: [],
              following: { place: { ...place, given: large.count() }, seen: taken.seen, large }
            }
            const given: Given = {
              batch: {
                rows: rows.filter((_, index) => taken.rows[index] !== undefined),
                failures,
                unchanged: taken.rows.filter((each) => each === undefined).length,
                cursor: following === undefined ? { done: true } : toJson(following),
                dropsAnswers: answered !== undefined
              },
              state: [...taken.rows.flatMap((changes) => changes ?? []), ...taken.after, ...state]
            }
            return { following, given: [given] }
          })

          const read = Effect.fnUntraced(function* (reached: Reached) {
            const { large, place, seen } = reached
            if (large !== undefined) return yield* readPiece(reached, large)
            const plain = outgoingOf(config, prepared, place.ask, since.value)
            const { outgoing, remember } = yield* conditional(plain, config, context, row)
            const answer = yield* Effect.either(
              context.once(
                {
                  name: `page-${place.page}`,
                  buys: { cost: () => [], pages: () => 1 },
                  book: (answer: Received) => bookingOf(outgoing, answer)
                },
                () => ask(outgoing, { ...caller, spool })
              )
            )
            if (Either.isLeft(answer)) {
              const end = endAt(config.next, place, answer.left)
              if (end instanceof StepError) return yield* end
              const { state } = (yield* ending(end, [])).ended(seen)
              return { following: undefined, given: [noRows(state)] }
            }
            const received = yield* largeOf(config, answer.right, folder, place.given)
            if ("next" in received) return yield* readPiece(reached, received)
            if (isUnchanged(received)) {
              yield* noteUnchanged(plain, context)
              return { following: undefined, given: [noRows(remember(received))] }
            }
            const { answered, failures, isWhole, rows } = yield* pageOf(config, received, row, bindings, context, place)
            const { ended, repeated } = yield* endOf(place, answered, isWhole ? remember(received) : [])
            const fresh = repeated ? [] : rows
            const taken = yield* since.take(fresh, isWhole ? seen : seenWithGap(seen))
            const { following, state } = ended(taken.seen)
            /** Rows from one index up to another, and the state changes that belong to them. */
            const slice = (from: number, to?: number) => ({
              rows: fresh.slice(from, to).filter((_, index) => taken.rows[from + index] !== undefined),
              state: taken.rows.slice(from, to).flatMap((changes) => changes ?? [])
            })
            const batches: Array<Given> = []
            let at = place.given
            for (; at + rowsPerBatch < fresh.length; at += rowsPerBatch) {
              const { rows: some, state } = slice(at, at + rowsPerBatch)
              const cursor = toJson({ place: { ...place, given: at + rowsPerBatch }, seen })
              batches.push({ batch: { rows: some, cursor }, state })
            }
            const rest = slice(at)
            // Failures come with the last rows: a resume within the page produces them again.
            batches.push({
              batch: {
                rows: rest.rows,
                failures: repeated ? [] : failures,
                unchanged: repeated ? undefined : taken.rows.filter((each) => each === undefined).length,
                cursor: following === undefined ? { done: true } : toJson(following),
                dropsAnswers: true
              },
              state: [...rest.state, ...taken.after, ...state]
            })
            return { following, given: batches }
          })
          const begin: Reached = saved ?? { place: firstPlace(config.next), seen: seenNothing }
          return pullOf(begin, read, isRead(config), context)
        })
      )
  }
})
