/** The state across runs: what each step of a pipeline keeps under the pipeline's state key. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Fingerprint from "../../Database/Fingerprint.ts"
import * as Text from "../../Database/Text.ts"
import type { Json } from "../../Row.ts"
import type { StateEntry } from "../../Step.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import { LedgerError, type Locked } from "./Errors.ts"
import * as Locks from "./Locks.ts"
import * as Shelves from "./Shelves.ts"

/** An entry with the step that keeps it: a line of an export. */
export interface StateRecord extends StateEntry {
  readonly step: string
}

/** What a step has under a state key. */
export interface Shelf {
  readonly stateKey: string
  readonly step: string
  readonly entries: number
  /** Milliseconds since 1970; undefined when there is no entry. */
  readonly firstSeen: number | undefined
  readonly lastSeen: number | undefined
}

/** For people who look after the state. Changes fail with `Locked` while a run holds the state key. */
export interface States {
  /** In the order of state keys and steps. */
  readonly list: Effect.Effect<ReadonlyArray<Shelf>, LedgerError>
  /** All entries of a state key, or of one of its steps, in the order of steps and keys. */
  readonly entries: (stateKey: string, step?: string) => Stream.Stream<StateRecord, LedgerError>
  readonly get: (stateKey: string, step: string, key: string) => Effect.Effect<StateEntry | undefined, LedgerError>
  /** Puts an entry; without a value, removes it. */
  readonly set: (
    stateKey: string,
    step: string,
    key: string,
    value: Json | undefined
  ) => Effect.Effect<void, LedgerError | Locked>
  /** Removes all entries, or those of one step, or those last seen before an instant. Says how many there were. */
  readonly clear: (
    stateKey: string,
    which?: { readonly step?: string | undefined; readonly lastSeenBefore?: number | undefined }
  ) => Effect.Effect<number, LedgerError | Locked>
  /** Gives everything under one key another key, which must be free. */
  readonly move: (from: string, to: string) => Effect.Effect<void, LedgerError | Locked>
  /** Puts entries with the times they come with. In blocks: after a failure the earlier ones are there; it may be repeated. */
  readonly import: <E, R>(
    stateKey: string,
    entries: Stream.Stream<StateRecord, E, R>
  ) => Effect.Effect<number, LedgerError | Locked | E, R>
}

/** The lock that a run with this state key holds. */
export const lockOf = (stateKey: string): string => `state ${stateKey}`

/** Entries read or put at once. */
const block = 1000

export const make = (connection: Connection): States => {
  const { place, sql } = connection

  /** The index has how keys begin where it has no long ones; what comes first by its beginning comes first. */
  const isCut = Fingerprint.isNeeded(sql)
  const order = sql.literal(isCut ? "left(key, 200), key" : "key")
  const from = (after: string) => (isCut ? sql`AND left(key, 200) >= left(${after}, 200)` : sql.literal(""))

  const page = (shelf: number, after: string | undefined) =>
    after === undefined
      ? sql<Shelves.StateRow>`SELECT * FROM state WHERE shelf = ${shelf} ORDER BY ${order} LIMIT ${block}`
      : sql<Shelves.StateRow>`SELECT * FROM state WHERE shelf = ${shelf} AND key > ${after} ${from(after)}
          ORDER BY ${order} LIMIT ${block}`

  const entriesOf = (stateKey: string) => (shelf: { readonly id: number; readonly step: string }) =>
    Stream.paginateChunkEffect(undefined, (after: string | undefined) =>
      page(shelf.id, after).pipe(
        reading(connection, `reading the state ${stateKey}`),
        Effect.map((rows) => [
          Chunk.unsafeFromArray(rows.map((row): StateRecord => ({ step: shelf.step, ...Shelves.toEntry(row) }))),
          rows.length < block ? Option.none() : Option.fromNullable(rows.at(-1)?.key)
        ])
      )
    )

  /** Changes what is under the keys while no run may: all of it or nothing. */
  const changing = <A, E>(keys: ReadonlyArray<string>, change: (now: number) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const { fence } = yield* Locks.hold(connection, keys.map(lockOf))
      return yield* Effect.zipRight(fence, Effect.flatMap(Clock.currentTimeMillis, change)).pipe(
        writing(connection, `changing the state ${keys.join(" and ")}`)
      )
    }).pipe(Effect.scoped)

  return {
    list: sql<{ state_key: string; step: string; entries: number; first: number | null; last: number | null }>`
      SELECT shelves.state_key AS state_key, shelves.step AS step, count(state.key) AS entries,
        min(state.first_seen) AS first, max(state.last_seen) AS last
      FROM shelves LEFT JOIN state ON state.shelf = shelves.id
      GROUP BY shelves.id, shelves.state_key, shelves.step ORDER BY shelves.state_key, shelves.step`.pipe(
      Effect.map((rows) =>
        rows.map((row) => ({
          stateKey: Text.decode(row.state_key),
          step: row.step,
          entries: Number(row.entries),
          firstSeen: row.first === null ? undefined : Number(row.first),
          lastSeen: row.last === null ? undefined : Number(row.last)
        }))
      ),
      reading(connection, "listing the state")
    ),
    entries: (stateKey, step) =>
      Shelves.find(sql, stateKey, step).pipe(
        reading(connection, `reading the state ${stateKey}`),
        Effect.map((shelves) => Stream.flatMap(Stream.fromIterable(shelves), entriesOf(stateKey))),
        Stream.unwrap
      ),
    get: (stateKey, step, key) =>
      Effect.gen(function* () {
        const [shelf] = yield* Shelves.find(sql, stateKey, step)
        if (shelf === undefined) return undefined
        const [row] = yield* sql<Shelves.StateRow>`SELECT * FROM state
          WHERE shelf = ${shelf.id} AND ${Fingerprint.of(sql, "key")} = ${Fingerprint.ofText(sql, Text.encode(key))}`
        return row === undefined ? undefined : Shelves.toEntry(row)
      }).pipe(reading(connection, `reading the state ${stateKey}`)),
    set: (stateKey, step, key, value) =>
      changing([stateKey], (now) =>
        Effect.gen(function* () {
          if (value === undefined) return yield* Shelves.remove(sql, stateKey, step, key)
          const shelf = yield* Shelves.shelfOf(sql, stateKey, step)
          yield* Shelves.put(sql, shelf, [{ key, value, firstSeen: now, lastSeen: now }])
        })
      ),
    clear: (stateKey, which = {}) => changing([stateKey], () => Shelves.clear(sql, stateKey, which)),
    move: (from, to) =>
      changing([from, to], () =>
        Effect.gen(function* () {
          const doing = `moving the state ${from} to ${to}`
          if ((yield* Shelves.find(sql, from)).length === 0) {
            return yield* new LedgerError({ place, doing, reason: `there is no state under ${from}` })
          }
          if ((yield* Shelves.find(sql, to)).length > 0) {
            return yield* new LedgerError({
              place,
              doing,
              reason: `there is a state under ${to} already; clear it first`
            })
          }
          yield* sql`UPDATE shelves SET state_key = ${Text.encode(to)} WHERE state_key = ${Text.encode(from)}`
        })
      ),
    import: (stateKey, entries) =>
      Effect.gen(function* () {
        const { fence } = yield* Locks.hold(connection, [lockOf(stateKey)])
        return yield* Stream.runFoldEffect(Stream.grouped(entries, block), 0, (sum, chunk) =>
          Effect.zipRight(fence, Shelves.putAll(sql, stateKey, Chunk.toReadonlyArray(chunk))).pipe(
            writing(connection, `importing into the state ${stateKey}`),
            Effect.as(sum + chunk.length)
          )
        )
      }).pipe(Effect.scoped)
  }
}
