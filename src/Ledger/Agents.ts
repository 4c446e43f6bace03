/**
 * Record of agents that use `sluice mcp`: their calls, the plans of runs that wait for approval, and the definitions that they wrote.
 *
 * - A call is recorded before it is executed, and its outcome afterwards: a call without an outcome was interrupted.
 * - A plan can be taken for a run (`claim`) once, in the transaction that checks the approval by a person, or the credits that runs without
 *   an approval may spend in 24 hours. A run that has not ended counts with its whole budget.
 * - The newest 20,000 calls that only read are kept, and the newest 200,000 of those that change something.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import type { Json } from "../Row.ts"
import {
  type Connection,
  decodeNullable,
  encodeOptional,
  fromText,
  numberOf,
  reading,
  toText,
  writing
} from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"

/** The plan cannot be approved or run. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{ readonly id: string; readonly reason: string }> {
  override get message() {
    return `plan ${this.id} ${this.reason}`
  }
}

export type Outcome = "done" | "refused" | "failed"

/** A call of an agent. */
export interface AgentCall {
  readonly id: string
  /** Time of the call, in milliseconds since 1970. */
  readonly at: number
  /** Id of the client's connection. */
  readonly session: string
  /** Name and version reported by the client, its way of connecting, and the user of the server's process. */
  readonly asker: string
  readonly tool: string
  /** JSON text, truncated. */
  readonly arguments: string
  /** False for a call that only reads or plans. */
  readonly changes: boolean
  readonly outcome?: Outcome | undefined
  readonly note?: string | undefined
  /** Undefined for a call that was interrupted. */
  readonly millis?: number | undefined
}

/** A run that an agent wants to start. */
export interface AgentPlan {
  readonly id: string
  readonly at: number
  readonly session: string
  readonly asker: string
  /** Absolute path of the definition. */
  readonly file: string
  readonly pipeline: string
  readonly definitionHash: string
  /** Inputs and limit. */
  readonly request: Json
  /** Text shown to a person for approval. */
  readonly summary: ReadonlyArray<string>
  /** Maximum credits that the run may spend. */
  readonly credits: number
  /** True when only a person may approve it, whatever the run costs. */
  readonly needsPerson: boolean
  readonly approvedAt?: number | undefined
  readonly approvedBy?: string | undefined
  readonly claimedAt?: number | undefined
  readonly run?: string | undefined
}

/** Budget of the runs that start without an approval. */
export interface FreeBudget {
  /** Credits in 24 hours. */
  readonly credits: number
}

export interface Agents {
  readonly begin: (call: Omit<AgentCall, "at" | "outcome" | "note" | "millis">) => Effect.Effect<void, LedgerError>
  readonly end: (
    id: string,
    end: { readonly outcome: Outcome; readonly note?: string | undefined; readonly millis: number }
  ) => Effect.Effect<void, LedgerError>
  /** The latest calls, newest first. */
  readonly calls: (limit: number) => Effect.Effect<ReadonlyArray<AgentCall>, LedgerError>
  /** Keeps a plan for a day. Beyond {@link maxWaiting}, the oldest unapproved plans are dropped. */
  readonly propose: (plan: Omit<AgentPlan, "at">) => Effect.Effect<void, LedgerError>
  readonly plan: (id: string) => Effect.Effect<AgentPlan | undefined, LedgerError>
  /** Plans that wait for approval and are younger than a day; newest first. */
  readonly waiting: (limit: number) => Effect.Effect<ReadonlyArray<AgentPlan>, LedgerError>
  /** Approves a plan; fails if it was approved or taken for a run before, or is too old. */
  readonly approve: (id: string, by: string) => Effect.Effect<AgentPlan, LedgerError | PlanRefused>
  /** Ends a plan that a person has refused: it cannot be run. */
  readonly refuse: (id: string) => Effect.Effect<void, LedgerError>
  /**
   * Takes a plan for a run with this budget. Fails if the plan was not approved, was already run, is older than a day, or costs too much.
   */
  readonly claim: (
    id: string,
    credits: number,
    free: FreeBudget | undefined
  ) => Effect.Effect<AgentPlan, LedgerError | PlanRefused>
  /** Records the run of a plan that was taken. `run` is undefined if the run did not start, so that the plan counts for no budget. */
  readonly started: (id: string, run: string | undefined) => Effect.Effect<void, LedgerError>
  /** Credits left for runs without an approval. */
  readonly left: (free: FreeBudget) => Effect.Effect<number, LedgerError>
  /** Records the hash of a definition that an agent writes. False if the last recorded hash is not `before`: another call was faster. */
  readonly drafted: (
    file: string,
    hash: string,
    asker: string,
    before: string | undefined
  ) => Effect.Effect<boolean, LedgerError>
  /** Hash of the file's text as last written by an agent; undefined for a file written by a person. */
  readonly draftOf: (file: string) => Effect.Effect<string | undefined, LedgerError>
}

const day = 86_400_000

/** Number of calls that are kept: of those that only read, and of those that change something. */
const kept = { reads: 20_000, changes: 200_000 }

/** Maximum plans waiting for approval: per connection, and in total. */
export const maxWaiting = { connection: 50, all: 500 }

/** Maximum characters of arguments and of a note. */
const maxText = 4_000

interface CallRow {
  readonly id: string
  readonly at: number
  readonly session_id: string
  readonly asker: string
  readonly tool: string
  readonly arguments: string
  readonly changes: number
  readonly outcome: Outcome | null
  readonly note: string | null
  readonly millis: number | null
}

const toCall = (row: CallRow): AgentCall => ({
  id: row.id,
  at: Number(row.at),
  session: row.session_id,
  asker: Dialect.decodeText(row.asker),
  tool: Dialect.decodeText(row.tool),
  arguments: Dialect.decodeText(row.arguments),
  changes: Number(row.changes) === 1,
  outcome: row.outcome ?? undefined,
  note: decodeNullable(row.note),
  millis: numberOf(row.millis)
})

interface PlanRow {
  readonly id: string
  readonly at: number
  readonly session_id: string
  readonly asker: string
  readonly file: string
  readonly pipeline: string
  readonly definition_hash: string
  readonly request: string
  readonly summary: string
  readonly credits: number
  readonly needs_person: number
  readonly approved_at: number | null
  readonly approved_by: string | null
  readonly claimed_at: number | null
  readonly run_id: string | null
}

const toPlan = (row: PlanRow): AgentPlan => ({
  id: row.id,
  at: Number(row.at),
  session: row.session_id,
  asker: Dialect.decodeText(row.asker),
  file: Dialect.decodeText(row.file),
  pipeline: Dialect.decodeText(row.pipeline),
  definitionHash: row.definition_hash,
  request: fromText(Dialect.decodeText(row.request)),
  summary: fromText(Dialect.decodeText(row.summary)) as ReadonlyArray<string>,
  credits: Number(row.credits),
  needsPerson: Number(row.needs_person) === 1,
  approvedAt: numberOf(row.approved_at),
  approvedBy: decodeNullable(row.approved_by),
  claimedAt: numberOf(row.claimed_at),
  run: row.run_id ?? undefined
})

const rounded = (credits: number): string => Number(credits.toFixed(2)).toLocaleString("en-US")

/** A run without an end after this time was killed, and no longer counts. */
const longestRun = 7 * day

/** Credits used or reserved by runs that were started without an approval and were active in the last 24 hours. */
const spentFreely = (sql: SqlClient.SqlClient, now: number) =>
  Effect.map(
    sql<{ credits: number | null }>`SELECT sum(CASE WHEN runs.ended_at IS NULL THEN agent_plans.granted
        ELSE runs.call_credits + runs.job_credits END) AS credits
      FROM agent_plans LEFT JOIN runs ON runs.id = agent_plans.run_id
      WHERE agent_plans.approved_at IS NULL AND agent_plans.granted IS NOT NULL AND (
        agent_plans.claimed_at > ${now - day} OR runs.ended_at > ${now - day}
        OR (runs.id IS NOT NULL AND runs.ended_at IS NULL AND agent_plans.claimed_at > ${now - longestRun}))`,
    ([row]) => Number(row?.credits ?? 0)
  )

/** Lets only one transaction at a time take a plan. In SQLite, an earlier write of the transaction already ensures that. */
const serialize = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext('budget of agents'))`),
    orElse: () => Effect.void
  })

/** Reason why the plan can no longer be approved or run; undefined if it can. */
const whyOver = (plan: AgentPlan | undefined, now: number): string | undefined =>
  plan === undefined
    ? "does not exist: create one with the tool `plan`"
    : plan.claimedAt !== undefined
      ? `has been ${plan.run === undefined ? "run or refused" : `run as ${plan.run}`}: plan the next run`
      : now - plan.at > day
        ? "is older than a day: plan the run again"
        : undefined

/** Deletes the oldest calls beyond those that are kept. */
const trim = (sql: SqlClient.SqlClient) =>
  Effect.forEach(
    [
      [0, kept.reads],
      [1, kept.changes]
    ],
    ([changes = 0, count = 0]) =>
      sql`DELETE FROM agent_calls WHERE changes = ${changes} AND at < (
        SELECT at FROM agent_calls WHERE changes = ${changes} ORDER BY at DESC LIMIT 1 OFFSET ${count})`,
    { discard: true }
  )

/** Number of calls after which the oldest ones beyond the limit are deleted again. */
const trimEvery = 1_000

export const make = (connection: Connection): Agents => {
  const { sql } = connection
  let begun = 0
  const select = (id: string) =>
    Effect.map(sql<PlanRow>`SELECT * FROM agent_plans WHERE id = ${id}`, ([row]) => row && toPlan(row))
  return {
    begin: (call) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        if (begun++ % trimEvery === 0) yield* trim(sql)
        yield* sql`INSERT INTO agent_calls ${sql.insert({
          id: call.id,
          at,
          session_id: call.session,
          asker: Dialect.encodeText(call.asker),
          tool: Dialect.encodeText(call.tool),
          arguments: Dialect.encodeText(call.arguments.slice(0, maxText)),
          changes: call.changes ? 1 : 0
        })}`
      }).pipe(writing(connection, "recording a call of an agent")),
    end: (id, { millis, note, outcome }) =>
      Effect.asVoid(
        sql`UPDATE agent_calls SET outcome = ${outcome}, note = ${encodeOptional(note?.slice(0, maxText))}, millis = ${millis}
          WHERE id = ${id}`
      ).pipe(writing(connection, "recording the outcome of an agent's call")),
    calls: (limit) =>
      Effect.map(sql<CallRow>`SELECT * FROM agent_calls ORDER BY at DESC, id LIMIT ${limit}`, (rows) =>
        rows.map(toCall)
      ).pipe(reading(connection, "reading the calls of agents")),
    propose: (plan) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        // Plans of started runs stay: they record who started which run.
        yield* sql`DELETE FROM agent_plans WHERE claimed_at IS NULL AND at < ${at - day}`
        yield* sql`INSERT INTO agent_plans ${sql.insert({
          id: plan.id,
          at,
          session_id: plan.session,
          asker: Dialect.encodeText(plan.asker),
          file: Dialect.encodeText(plan.file),
          pipeline: Dialect.encodeText(plan.pipeline),
          definition_hash: plan.definitionHash,
          request: Dialect.encodeText(toText(plan.request)),
          summary: Dialect.encodeText(JSON.stringify(plan.summary)),
          credits: plan.credits,
          needs_person: plan.needsPerson ? 1 : 0
        })}`
        const waiting = sql`claimed_at IS NULL AND approved_at IS NULL AND id <> ${plan.id}`
        const ofConnection = sql`${waiting} AND session_id = ${plan.session}`
        for (const [which, most] of [
          [ofConnection, maxWaiting.connection] as const,
          [waiting, maxWaiting.all] as const
        ]) {
          yield* sql`DELETE FROM agent_plans WHERE ${which} AND id NOT IN (
            SELECT id FROM agent_plans WHERE ${which} ORDER BY at DESC, id LIMIT ${most - 1})`
        }
      }).pipe(writing(connection, "recording a plan of an agent")),
    plan: (id) => select(id).pipe(reading(connection, `reading plan ${id}`)),
    waiting: (limit) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(
          sql<PlanRow>`SELECT * FROM agent_plans WHERE claimed_at IS NULL AND approved_at IS NULL AND at >= ${now - day}
            ORDER BY at DESC, id LIMIT ${limit}`,
          (rows) => rows.map(toPlan)
        ).pipe(reading(connection, "reading the plans of agents"))
      ),
    approve: (id, by) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const approved = yield* sql`UPDATE agent_plans SET approved_at = ${now}, approved_by = ${Dialect.encodeText(by)}
          WHERE id = ${id} AND claimed_at IS NULL AND approved_at IS NULL AND at >= ${now - day} RETURNING id`
        const plan = yield* select(id)
        if (plan !== undefined && approved.length > 0) return plan
        const reason = whyOver(plan, now) ?? `has already been approved, by ${plan?.approvedBy}`
        return yield* new PlanRefused({ id, reason })
      }).pipe(writing(connection, `approving plan ${id}`)),
    refuse: (id) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.asVoid(sql`UPDATE agent_plans SET claimed_at = ${now} WHERE id = ${id} AND claimed_at IS NULL`)
      ).pipe(writing(connection, `refusing plan ${id}`)),
    claim: (id, credits, free) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const before = yield* sql`UPDATE agent_plans SET claimed_at = ${now}, granted = NULL
          WHERE id = ${id} AND claimed_at IS NULL AND at >= ${now - day} RETURNING id`
        yield* serialize(sql)
        const plan = yield* select(id)
        if (plan === undefined || before.length === 0) {
          return yield* new PlanRefused({ id, reason: whyOver(plan, now) ?? "is older than a day: plan the run again" })
        }
        if (credits > plan.credits) {
          const reason = `is for ${rounded(plan.credits)} credits, and the requested budget is ${rounded(credits)}: request at most ${rounded(plan.credits)}, or create a new plan`
          return yield* new PlanRefused({ id, reason })
        }
        if (plan.approvedAt === undefined) {
          if (free === undefined || plan.needsPerson) return yield* new PlanRefused({ id, reason: unapproved(plan) })
          const left = free.credits - (yield* spentFreely(sql, now))
          if (credits > left) {
            const reason = `asks for ${rounded(credits)} credits, and ${rounded(Math.max(0, left))} of ${rounded(free.credits)} a day are left without an approval: a person approves it with sluice mcp approve ${id}`
            return yield* new PlanRefused({ id, reason })
          }
        }
        yield* sql`UPDATE agent_plans SET granted = ${credits} WHERE id = ${id}`
        return { ...plan, claimedAt: now }
      }).pipe(writing(connection, `starting plan ${id}`)),
    started: (id, run) =>
      Effect.asVoid(
        run === undefined
          ? sql`UPDATE agent_plans SET granted = NULL WHERE id = ${id}`
          : sql`UPDATE agent_plans SET run_id = ${run} WHERE id = ${id}`
      ).pipe(writing(connection, `recording the run of plan ${id}`)),
    left: (free) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(spentFreely(sql, now), (spent) => Math.max(0, free.credits - spent)).pipe(
          reading(connection, "adding up the credits of agents")
        )
      ),
    drafted: (file, hash, asker, before) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const row = { file: Dialect.encodeText(file), hash, asker: Dialect.encodeText(asker), at }
        const recorded =
          before === undefined
            ? yield* sql`INSERT INTO agent_drafts ${sql.insert(row)} ON CONFLICT (file) DO NOTHING RETURNING file`
            : yield* sql`UPDATE agent_drafts SET hash = ${hash}, asker = ${row.asker}, at = ${at}
                WHERE file = ${row.file} AND hash = ${before} RETURNING file`
        return recorded.length > 0
      }).pipe(writing(connection, `recording the draft ${file}`)),
    draftOf: (file) =>
      Effect.map(
        sql<{ hash: string }>`SELECT hash FROM agent_drafts WHERE file = ${Dialect.encodeText(file)}`,
        ([row]) => row?.hash
      ).pipe(reading(connection, `looking for the draft ${file}`))
  }
}

/** Describes a plan that is not approved yet, with the command that approves it. */
export const unapproved = ({ id }: Pick<AgentPlan, "id">): string =>
  `waits until a person approves it with: sluice mcp approve ${id}`
