/** What went wrong in a job and what robots.txt kept from it, as the JSON that is sent: a slice of it in memory at a time. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { nextTurn } from "../../Callback/EventLoop.ts"
import type { LeftOut } from "./Job.ts"

/** Rows of one slice. */
const portion = 500

interface Failed {
  readonly place: number
  readonly id: string
  readonly at: number
  readonly url: string
  readonly code: string | null
  readonly error: string
}

interface Blocked {
  readonly id: number
  readonly url: string
}

/** The inside of a JSON array; `read` gives the rows behind the last one. */
const listed = <Row>(
  read: (last: Row | undefined) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>,
  tell: (row: Row) => unknown
): Stream.Stream<string, SqlError.SqlError> =>
  Stream.paginateEffect<Row | undefined, string, SqlError.SqlError, never>(undefined, (last) =>
    Effect.map(Effect.zipRight(nextTurn, read(last)), (rows) => [
      (last === undefined || rows.length === 0 ? "" : ",") + rows.map((row) => JSON.stringify(tell(row))).join(","),
      rows.length < portion ? Option.none() : Arr.last(rows)
    ])
  )

const told = ({ at, code, error, id, url }: Failed) => ({
  id,
  timestamp: new Date(at).toISOString(),
  url,
  ...(code === null ? {} : { code }),
  error
})

/** All of it, in the order in which it happened. */
export const body = (
  sql: SqlClient.SqlClient,
  jobId: string,
  leftOut?: ReadonlyArray<LeftOut>
): Stream.Stream<string, SqlError.SqlError> => {
  const failed = listed<Failed>(
    (last) => sql<Failed>`SELECT rowid AS place, id, at, url, code, error FROM job_errors
      WHERE job_id = ${jobId} AND (at, rowid) > (${last?.at ?? -1}, ${last?.place ?? 0}) ORDER BY at, rowid LIMIT ${portion}`,
    told
  )
  const blocked = listed<Blocked>(
    (last) => sql<Blocked>`SELECT id, url FROM job_pages
      WHERE job_id = ${jobId} AND state = 3 AND id > ${last?.id ?? 0} ORDER BY id LIMIT ${portion}`,
    ({ url }) => url
  )
  return Stream.make('{"errors":[').pipe(
    Stream.concat(failed),
    Stream.concat(Stream.make('],"robotsBlocked":[')),
    Stream.concat(blocked),
    Stream.concat(Stream.make(leftOut === undefined ? "]}" : `],"leftOut":${JSON.stringify(leftOut)}}`))
  )
}
