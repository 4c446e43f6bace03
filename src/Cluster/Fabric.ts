/**
 * What carries the parts of runs from worker to worker: the message store and the locks of `@effect/cluster` in Postgres.
 * Workers never speak to each other and listen on no port: who can reach the database is in, and nobody else.
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as Snowflake from "@effect/cluster/Snowflake"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"

/** The prefix of the cluster's own tables. */
const prefix = "cluster"

/**
 * Failover within 10 seconds: a worker signs every second and is gone after 4; its locks expire after 5; the others look
 * for what became free once a second, and for messages four times. By default the library needs half a minute.
 */
const tuned: Partial<ShardingConfig.ShardingConfig["Type"]> = {
  // Every worker holds some of these: more than there will be workers, and few enough to be settled at once.
  shardsPerGroup: 120,
  shardLockRefreshInterval: Duration.seconds(1),
  shardLockExpiration: Duration.seconds(5),
  // Locks as rows: those of a machine that has vanished expire, while its connection may seem open for hours.
  shardLockDisableAdvisory: true,
  refreshAssignmentsInterval: Duration.seconds(1),
  entityMessagePollInterval: Duration.millis(250),
  runnerHealthCheckInterval: Duration.seconds(1),
  // Runs come to their rest by themselves before the worker goes.
  entityTerminationTimeout: Duration.seconds(2),
  entityMaxIdleTime: Duration.seconds(10),
  simulateRemoteSerialization: false
}

/** Signs of life that could be given: while the server was away nobody could. */
const heard =
  "last_heartbeat >= now() - interval '4 seconds' OR now() - pg_postmaster_start_time() < interval '10 seconds'"

/** A worker is well while it signs. */
const health = Layer.effect(
  RunnerHealth.RunnerHealth,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    isAlive: (address: RunnerAddress.RunnerAddress) =>
      sql`SELECT 1 AS one FROM ${sql(`${prefix}_runners`)} WHERE address = ${`${address.host}:${address.port}`}
        AND (${sql.literal(heard)})`.pipe(
        Effect.map((rows) => rows.length > 0),
        // Who cannot ask judges nobody.
        Effect.orElseSucceed(() => true)
      )
  }))
)

/** Where a worker of this name is: nobody calls there. */
const addressOf = (name: string) => RunnerAddress.make(name, 1)

/**
 * The library leaves this to a worker that may be the one that is gone: here each one looks after all others. Who looks
 * is there himself, however late his signs are on a machine that is busy: a worker alone would lay down all it has.
 */
const watch = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { host, port } = addressOf(name)
    yield* sql`UPDATE ${sql(`${prefix}_runners`)} SET healthy = false
      WHERE healthy AND address <> ${`${host}:${port}`} AND NOT (${sql.literal(heard)})`.pipe(
      Effect.catchAllCause((cause) => Effect.logDebug("workers could not be looked after", cause)),
      Effect.repeat(Schedule.spaced("1 second"))
    )
  })

/** A day: answers of the cluster that nobody will ask for any more. */
const kept = Duration.toMillis("1 day")

/** Removes what is done and older than a day; the library keeps it for ever. */
export const sweep = (sql: SqlClient.SqlClient, older: number = kept) =>
  Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - older
    const oldest = String(Snowflake.make({ machineId: 0 as never, sequence: 0, timestamp: before }))
    const replies = sql(`${prefix}_replies`)
    const messages = sql(`${prefix}_messages`)
    const gone = yield* sql`DELETE FROM ${messages} WHERE processed AND id < ${oldest}::bigint RETURNING id`
    yield* sql`DELETE FROM ${replies} WHERE request_id < ${oldest}::bigint
      AND NOT EXISTS (SELECT 1 FROM ${messages} AS m WHERE m.id = request_id)`
    yield* sql`DELETE FROM ${sql(`${prefix}_runners`)} WHERE last_heartbeat < now() - interval '1 day'`
    return gone.length
  })

/** Tables of which the library takes for granted that one worker alone makes them. */
const tables = (sql: SqlClient.SqlClient) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* sql.reserve
      const lock = "hashtextextended('sluice cluster of ' || current_schema(), 0)"
      yield* Effect.acquireUseRelease(
        connection.executeRaw(`SELECT pg_advisory_lock(${lock})`, []),
        () =>
          Effect.scoped(
            Layer.build(
              Layer.merge(SqlMessageStorage.layerWith({ prefix }), SqlRunnerStorage.layerWith({ prefix })).pipe(
                Layer.provide(ShardingConfig.layer({ ...tuned, runnerAddress: Option.none() }))
              )
            )
          ),
        () => Effect.ignore(connection.executeRaw(`SELECT pg_advisory_unlock(${lock})`, []))
      )
    })
  ).pipe(Effect.retry({ times: 5 }), Effect.orDie)

/** The engine of the parts on a worker of this name, which nobody else has. */
export const layer = (name: string) =>
  Layer.unwrapEffect(Effect.as(Effect.flatMap(SqlClient.SqlClient, tables), engine(name)))

const engine = (name: string) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Layer.scopedDiscard(Effect.forkScoped(watch(name)))),
    Layer.provideMerge(Sharding.layer),
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(Layer.orDie(SqlMessageStorage.layerWith({ prefix }))),
    Layer.provide([Layer.orDie(SqlRunnerStorage.layerWith({ prefix })), health]),
    Layer.provide(
      ShardingConfig.layer({
        ...tuned,
        runnerAddress: Option.some(addressOf(name))
      })
    )
  )
