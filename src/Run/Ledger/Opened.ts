/** The ledger over a connection to whichever database. */
import * as Effect from "effect/Effect"
import type { Beginning, Ledger } from "../Ledger.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import * as Forgetting from "./Forgetting.ts"
import * as Groups from "./Groups.ts"
import * as History from "./History.ts"
import * as Journal from "./Journal.ts"
import * as Locks from "./Locks.ts"
import * as Runs from "./Runs.ts"
import * as Schedules from "./Schedules.ts"
import * as Spent from "./Spent.ts"
import * as States from "./States.ts"
import * as Survey from "./Survey.ts"

const open = (connection: Connection, beginning: Beginning) =>
  Effect.gen(function* () {
    const { id, stateKey } = beginning
    const names = [`run ${id}`, ...(stateKey === undefined ? [] : [States.lockOf(stateKey)])]
    const held = yield* Locks.hold(connection, names)
    yield* Effect.zipRight(held.fence, Runs.begin(connection, beginning)).pipe(
      writing(connection, `beginning run ${id}`)
    )
    return yield* Journal.make(connection, beginning, held)
  })

export const make = (connection: Connection): typeof Ledger.Service => ({
  place: connection.place,
  isShared: connection.isShared,
  open: (beginning) => open(connection, beginning),
  find: (id) => Runs.find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  spentSince: (pipeline, instant) =>
    Spent.since(connection.sql, pipeline, instant).pipe(reading(connection, `adding up what ${pipeline} has spent`)),
  history: History.make(connection),
  survey: Survey.make(connection),
  states: States.make(connection),
  forgetting: Forgetting.make(connection),
  groups: Groups.make(connection),
  schedules: Schedules.make(connection)
})
