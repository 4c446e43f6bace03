/** Whoever carries instants out: known by a lock with a heartbeat, and the only one to write to rows of its own. */
import { randomUUID } from "node:crypto"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Claims from "./Claims.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import * as Group from "./Group.ts"
import { open } from "./InstantRows.ts"
import * as Instants from "./Instants.ts"
import * as Locks from "./Locks.ts"
import type { Carrier } from "./Schedules.ts"

/** Before the names of locks that say who is alive. */
export const lockPrefix = "schedule "

/** Makes its caller a carrier, until the scope closes. */
export const carry = (connection: Connection) =>
  Effect.gen(function* () {
    const { sql } = connection
    const owner = randomUUID()
    const { lost } = yield* Locks.hold(connection, [`${lockPrefix}${owner}`])
    const write = Group.make((items: ReadonlyArray<Effect.Effect<void, SqlError>>) =>
      Effect.forEach(items, (item) => item, { discard: true }).pipe(writing(connection, "writing down instants"))
    )
    /** One of the many that are written together, and what it says. */
    const grouped = (item: Effect.Effect<boolean, SqlError>) =>
      Effect.suspend(() => {
        let said = false
        const noted = Effect.map(item, (answer) => {
          said = answer
        })
        return Effect.map(write(noted), () => said)
      })
    const carrier: Carrier = {
      owner,
      lost,
      claim: (claims) => Claims.claim(sql, owner, claims).pipe(writing(connection, "claiming instants")),
      again: (which) => Claims.again(sql, owner, which).pipe(writing(connection, "claiming an instant again")),
      begin: (which) => grouped(Instants.begin(sql, owner, which)),
      retry: (which, later) => grouped(Instants.retry(sql, owner, which, later)),
      end: (which, ending) => grouped(Instants.end(sql, owner, which, ending)),
      leave: (which) => Effect.asVoid(grouped(Effect.as(Instants.leave(sql, owner, which), true))),
      takeOver: Effect.fnUntraced(
        function* (accepts) {
          // Most of the time there is nothing to take over: looking costs no write.
          const unfinished = (yield* open(sql)).filter((each) => each.owner !== owner && accepts(each))
          if (unfinished.length === 0) return []
          const living = yield* carriers(connection)
          const orphans = unfinished.filter((each) => each.owner === undefined || !living.has(each.owner))
          if (orphans.length === 0) return []
          return yield* Instants.take(sql, owner, orphans).pipe(writing(connection, "taking over instants"))
        },
        reading(connection, "looking for instants that were left")
      ),
      own: Effect.map(open(sql), (all) => all.filter((each) => each.owner === owner)).pipe(
        reading(connection, "looking for instants")
      )
    }
    return carrier
  })

/** Owners that are alive. */
export const carriers = (connection: Connection) =>
  Effect.map(
    Locks.held(connection),
    (names) =>
      new Set([...names].flatMap((name) => (name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])))
  )
