/**
 * SQL client of the engine. Its statements do not fail: no caller can repair a store that cannot be read or written, so a statement then
 * dies with a {@link StoreError}, which names the file, the reason and the remedy. {@link failing} turns this back into a failure, for code
 * that can continue without the store: a cache, a sweep, a report.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Connection, Row } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Base from "@effect/sql/Statement"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import { reasonOf } from "../../Database/DriverErrors.ts"

/** The store cannot be opened, read or written. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly file: string
  readonly reason: string
  readonly cause?: unknown
  /** The attempted action. Default: open the store. */
  readonly action?: "use"
}> {
  override get message() {
    return `Cannot ${this.action ?? "open"} the store ${this.file}: ${this.reason}`
  }
}

export interface Statement<A> extends Base.Fragment, Effect.Effect<ReadonlyArray<A>> {
  readonly raw: Effect.Effect<unknown>
  readonly withoutTransform: Effect.Effect<ReadonlyArray<A>>
  readonly stream: Stream.Stream<A>
  readonly values: Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>>
  readonly unprepared: Effect.Effect<ReadonlyArray<A>>
  readonly compile: Base.Statement<A>["compile"]
}

export interface Sql extends SqlClient.SqlClient {
  <A extends object = Row>(strings: TemplateStringsArray, ...values: Array<unknown>): Statement<A>
  (name: string): Base.Identifier
  readonly unsafe: <A extends object>(text: string, parameters?: ReadonlyArray<unknown>) => Statement<A>
  readonly withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const Sql = Context.GenericTag<Sql>("sluice/Engine/Store/Sql")

/** Turns SQL errors of a store into defects. */
export const dying =
  (file: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E, R> =>
    Effect.catchTag(effect as Effect.Effect<A, SqlError, R>, "SqlError", (cause) =>
      Effect.die(new StoreError({ file, reason: reasonOf(cause), cause, action: "use" }))
    )

/** Wraps a connection so that its statements die on errors. */
export const dyingConnection = (connection: Connection, end: ReturnType<typeof dying>): Connection => ({
  ...connection,
  execute: (...statement) => end(connection.execute(...statement)),
  executeRaw: (...statement) => end(connection.executeRaw(...statement)),
  executeValues: (...statement) => end(connection.executeValues(...statement)),
  executeUnprepared: (...statement) => end(connection.executeUnprepared(...statement))
})

/** Turns the `StoreError` that a statement died with back into a failure. */
export const failing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreError, R> =>
  Effect.catchSomeDefect(effect, (defect) =>
    defect instanceof StoreError ? Option.some(Effect.fail(defect)) : Option.none()
  )
