import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Ledger,
  acquire,
  heldNames,
  make,
  reading,
  writing
} from "./chunk-P7YG24CI.js";
import {
  decodeText,
  encodeText
} from "./chunk-F63MDLXW.js";
import {
  _void,
  as2 as as,
  asVoid3 as asVoid,
  currentTimeMillis,
  flatMap5 as flatMap,
  fnUntraced2 as fnUntraced,
  forEach2 as forEach,
  gen,
  map9 as map,
  succeed4 as succeed,
  suspend2 as suspend,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";

// src/Schedule/NotificationOutbox.ts
import { randomUUID } from "node:crypto";
var maxReasonLength = 2e3, notificationsFor = (checked, event, { file, instant, reason, summary, ...rest }) => (checked?.frame.notify ?? []).flatMap(
  ({ on }, target) => on.includes(event) ? [
    {
      event,
      target,
      body: JSON.stringify({
        event,
        ...rest,
        instant: new Date(instant).toISOString(),
        file,
        reason: reason?.slice(0, maxReasonLength),
        rows: summary?.rows,
        rejects: summary?.rejects,
        credits: summary?.credits,
        durationMs: summary?.durationMs,
        resumable: summary?.resumable
      })
    }
  ] : []
), numberOf = (value) => value === null ? void 0 : Number(value), toRecord = (row) => ({
  id: row.id,
  pipeline: row.pipeline,
  instant: Number(row.instant),
  runId: row.run_id ?? void 0,
  event: row.event,
  target: Number(row.target),
  body: decodeText(row.body),
  madeAt: Number(row.made_at),
  attempts: Number(row.attempts),
  sentAt: numberOf(row.sent_at),
  gaveUpAt: numberOf(row.gave_up_at),
  error: row.error === null ? void 0 : decodeText(row.error)
}), add = (sql, { instant, pipeline, runId }, notices, now) => sql`INSERT INTO notices ${sql.insert(
  notices.map(({ body, event, target }) => ({
    id: randomUUID(),
    pipeline,
    instant,
    run_id: runId ?? null,
    event,
    target,
    body: encodeText(body),
    made_at: now,
    attempts: 0,
    next_at: now
  }))
)}`, areDue = (sql, now) => map(sql`SELECT id FROM notices WHERE next_at <= ${now} LIMIT 1`, (rows) => rows.length > 0), take = (sql, now, limit, hold) => map(
  sql`UPDATE notices SET attempts = attempts + 1, next_at = ${now + hold}
      WHERE id IN (SELECT id FROM notices WHERE next_at <= ${now} ORDER BY next_at, id LIMIT ${limit})
        AND next_at <= ${now} RETURNING *`,
  (rows) => rows.map(toRecord)
), sent = (sql, id) => flatMap(
  currentTimeMillis,
  (now) => sql`UPDATE notices SET sent_at = ${now}, next_at = NULL, error = NULL WHERE id = ${id}`
).pipe(asVoid), failed = (sql, id, error, nextAt) => flatMap(
  currentTimeMillis,
  (now) => sql`UPDATE notices SET error = ${encodeText(error)}, next_at = ${nextAt ?? null},
      gave_up_at = ${nextAt === void 0 ? now : null} WHERE id = ${id} AND sent_at IS NULL`
).pipe(asVoid), postpone = (sql, id, until) => asVoid(
  sql`UPDATE notices SET next_at = ${until}, attempts = attempts - 1 WHERE id = ${id} AND sent_at IS NULL`
), list = (sql, { limit, pipeline }) => map(
  pipeline === void 0 ? sql`SELECT * FROM notices ORDER BY made_at DESC, id LIMIT ${limit}` : sql`SELECT * FROM notices WHERE pipeline = ${pipeline} ORDER BY made_at DESC, id LIMIT ${limit}`,
  (rows) => rows.map(toRecord)
);

// src/Schedule/Occurrences.ts
import { randomUUID as randomUUID2 } from "node:crypto";

// src/Schedule/Model.ts
var pausePrefix = "until ", pauseReason = (end2) => `${pausePrefix}${new Date(end2).toISOString()}`, pauseEnd = (why) => {
  if (why === void 0 || !why.startsWith(pausePrefix)) return;
  let end2 = Date.parse(why.slice(pausePrefix.length));
  return Number.isNaN(end2) ? void 0 : end2;
}, defaultRetention = "90 days";

// src/Schedule/Registrations.ts
var numberOf2 = (value) => value === null ? void 0 : Number(value), toSchedule = (row) => ({
  pipeline: row.pipeline,
  file: decodeText(row.file),
  times: row.times,
  schedule: decodeText(row.schedule),
  reached: Math.max(Number(row.since), Number(row.reached ?? 0)),
  pausedAt: numberOf2(row.paused_at),
  pausedWhy: row.paused_why === null ? void 0 : decodeText(row.paused_why),
  removedAt: numberOf2(row.removed_at)
}), listSchedules = (sql) => flatMap(
  currentTimeMillis,
  (now) => map(
    sql`SELECT schedules.*, (SELECT max(instants.instant) FROM instants
          WHERE instants.pipeline = schedules.pipeline AND instants.instant <= ${now}
            AND instants.cause = 'schedule') AS reached
        FROM schedules ORDER BY pipeline`,
    (rows) => rows.map(toSchedule)
  )
), replaceWindow = 6e4, register = (sql, pipelines) => gen(function* () {
  let now = yield* currentTimeMillis;
  for (let { file, pipeline, schedule, times } of [...pipelines].sort(
    (a, b) => a.pipeline < b.pipeline ? -1 : 1
  ))
    yield* sql`INSERT INTO schedules ${sql.insert({
      pipeline,
      file: encodeText(file),
      times,
      schedule: encodeText(schedule),
      since: now,
      seen_at: now
    })} ON CONFLICT (pipeline) DO UPDATE SET file = excluded.file, schedule = excluded.schedule,
        since = CASE WHEN schedules.times = excluded.times AND coalesce(schedules.removed_at, ${now}) >= ${now - replaceWindow}
          THEN schedules.since ELSE excluded.since END,
        times = excluded.times, seen_at = excluded.seen_at, removed_at = NULL`;
  let names = new Set(pipelines.map(({ pipeline }) => pipeline));
  return (yield* listSchedules(sql)).filter(({ pipeline }) => names.has(pipeline));
}), remove = (sql, pipelines) => flatMap(
  currentTimeMillis,
  (now) => forEach(
    pipelines,
    (pipeline) => sql`UPDATE schedules SET removed_at = ${now} WHERE pipeline = ${pipeline} AND removed_at IS NULL`,
    { discard: !0 }
  )
), pause = (sql, pipeline, why) => flatMap(
  currentTimeMillis,
  (now) => map(
    sql`UPDATE schedules SET paused_at = coalesce(paused_at, ${now}),
        paused_why = ${why === void 0 ? null : encodeText(why)} WHERE pipeline = ${pipeline} RETURNING pipeline`,
    (rows) => rows.length > 0
  )
), paused = (sql) => map(
  sql`SELECT pipeline, paused_at, paused_why FROM schedules
      WHERE paused_at IS NOT NULL`,
  (rows) => rows.map(({ paused_at, paused_why, pipeline }) => ({
    pipeline,
    at: Number(paused_at),
    why: paused_why === null ? void 0 : decodeText(paused_why)
  }))
), resume = (sql, pipeline) => map(
  sql`UPDATE schedules SET paused_at = NULL, paused_why = NULL WHERE pipeline = ${pipeline} RETURNING pipeline`,
  (rows) => rows.length > 0
);

// src/Schedule/Occurrences.ts
var numberOf3 = (value) => value === null ? void 0 : Number(value), toRecord2 = (row) => ({
  pipeline: row.pipeline,
  instant: Number(row.instant),
  due: Number(row.due),
  cause: row.cause,
  status: row.status,
  owner: row.owner ?? void 0,
  runId: row.run_id ?? void 0,
  attempt: Number(row.attempt),
  reason: row.reason === null ? void 0 : decodeText(row.reason),
  replacedBy: numberOf3(row.replaced_by),
  claimedAt: Number(row.claimed_at),
  begunAt: numberOf3(row.begun_at),
  nextAt: numberOf3(row.next_at),
  endedAt: numberOf3(row.ended_at)
}), textOf = (reason) => reason === void 0 ? null : encodeText(reason), unfinishedOccurrences = (sql) => map(
  sql`SELECT * FROM instants WHERE ended_at IS NULL ORDER BY pipeline, instant`,
  (rows) => rows.map(toRecord2)
), isOwned = (sql, owner, { instant, pipeline }) => sql`pipeline = ${pipeline} AND instant = ${instant} AND owner = ${owner} AND ended_at IS NULL`, isThere = (rows) => rows.length > 0, start = (sql, owner, { alone, runId, ...which }) => gen(function* () {
  let now = yield* currentTimeMillis, isFirst = alone ? sql` AND NOT EXISTS (SELECT 1 FROM instants AS earlier WHERE earlier.pipeline = ${which.pipeline}
          AND earlier.instant < ${which.instant} AND earlier.ended_at IS NULL)` : sql``, rows = yield* sql`UPDATE instants SET status = 'running', run_id = ${runId}, attempt = attempt + 1,
      next_at = NULL, reason = NULL, begun_at = coalesce(begun_at, ${now})
      WHERE ${isOwned(sql, owner, which)} AND replaced_by IS NULL${isFirst} RETURNING instant`;
  return isThere(rows);
}), retry = (sql, owner, which, { at, counts, reason, runId }) => map(
  sql`UPDATE instants SET status = 'retrying', next_at = ${at}, reason = ${encodeText(reason)},
      run_id = ${runId ?? null}, attempt = attempt - ${counts ? 0 : 1}
      WHERE ${isOwned(sql, owner, which)} RETURNING instant`,
  isThere
), end = (sql, owner, which, { notices, reason, status }) => gen(function* () {
  let now = yield* currentTimeMillis, [row] = yield* sql`UPDATE instants SET status = ${status}, reason = ${textOf(reason)},
      next_at = NULL, ended_at = ${now} WHERE ${isOwned(sql, owner, which)} RETURNING *`;
  return row === void 0 ? !1 : (notices.length > 0 && (yield* add(sql, toRecord2(row), notices, now)), !0);
}), release = (sql, owner, which) => forEach(
  which,
  (each) => sql`UPDATE instants SET owner = NULL,
      attempt = attempt - CASE WHEN status = 'running' THEN 1 ELSE 0 END,
      status = CASE WHEN status = 'running' THEN 'waiting' ELSE status END WHERE ${isOwned(sql, owner, each)}`,
  { discard: !0 }
), takeOver = (sql, owner, orphans) => map(
  forEach(orphans, ({ instant, owner: former, pipeline }) => {
    let whose = former === void 0 ? sql`owner IS NULL` : sql`owner = ${former}`;
    return sql`UPDATE instants SET owner = ${owner}
        WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NULL AND ${whose} RETURNING *`;
  }),
  (rows) => rows.flat().map(toRecord2)
), find = (sql, { instant, pipeline }) => map(
  sql`SELECT * FROM instants WHERE pipeline = ${pipeline} AND instant = ${instant}`,
  ([row]) => row === void 0 ? void 0 : toRecord2(row)
), list2 = (sql, { limit, offset = 0, pipeline, since, status, until }) => map(
  sql`SELECT * FROM instants WHERE ${sql.and([
    ...pipeline === void 0 ? [] : [sql`pipeline = ${pipeline}`],
    ...status === void 0 ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)],
    ...since === void 0 ? [] : [sql`instant >= ${since}`],
    ...until === void 0 ? [] : [sql`instant <= ${until}`]
  ])} ORDER BY instant DESC, pipeline LIMIT ${limit} OFFSET ${offset}`,
  (rows) => rows.map(toRecord2)
), lastEnded = (sql) => map(
  sql`SELECT instants.* FROM schedules JOIN instants ON instants.pipeline = schedules.pipeline
      AND instants.instant = (SELECT max(one.instant) FROM instants AS one WHERE one.pipeline = schedules.pipeline
        AND one.ended_at IS NOT NULL AND one.status NOT IN ('missed', 'skipped'))`,
  (rows) => new Map(rows.map((row) => [row.pipeline, toRecord2(row)]))
), prune = (sql, before, lockPrefix2) => gen(function* () {
  yield* sql`UPDATE schedules SET since = ${before} WHERE since < ${before}`;
  let deleted = yield* sql`DELETE FROM instants WHERE instant < ${before} AND (ended_at < ${before}
      OR ended_at IS NULL AND claimed_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM locks WHERE locks.name = ${lockPrefix2} || instants.owner)) RETURNING instant`;
  return yield* sql`DELETE FROM notices WHERE made_at < ${before} AND next_at IS NULL`, yield* sql`DELETE FROM schedules WHERE removed_at < ${before} AND paused_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM instants WHERE instants.pipeline = schedules.pipeline)`, deleted.length;
}), maxQueued = 1e3, block = 50, byTime = (one, other) => one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.instant - other.instant, blocks = (items) => Array.from({ length: Math.ceil(items.length / block) }, (_, index) => items.slice(index * block, (index + 1) * block)), lockSchedules = (sql, pipelines) => sql.onDialectOrElse({
  // A SQLite transaction is exclusive already.
  sqlite: () => _void,
  orElse: () => forEach(
    blocks(pipelines),
    (some) => sql`SELECT pipeline FROM schedules WHERE ${sql.in("pipeline", some)} ORDER BY pipeline FOR UPDATE`,
    { discard: !0 }
  )
}), skipPaused = (claim2, { at, why }) => ({
  ...claim2,
  status: "skipped",
  reason: `the pipeline is paused since ${new Date(at).toISOString()}${why === void 0 ? "" : `: ${why}`}`,
  notices: []
}), applyOverlap = (claim2, earlier) => {
  let [first] = earlier;
  return claim2.status !== "waiting" || first === void 0 ? claim2 : claim2.overlap === "skip" ? { status: "skipped", reason: `the run for ${new Date(first.instant).toISOString()} was still active` } : claim2.overlap === "queue" && earlier.length >= maxQueued ? { status: "skipped", reason: `${maxQueued} earlier occurrences were unfinished` } : claim2;
}, replace = (sql, { instant, pipeline }, now) => zipRight(
  sql`UPDATE instants SET replaced_by = ${instant}
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL`,
  sql`UPDATE instants SET status = 'replaced', reason = ${`replaced by the run for ${new Date(instant).toISOString()}`},
      ended_at = ${now}, next_at = NULL
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL AND status <> 'running'`
), claim = (sql, owner, claims) => gen(function* () {
  if (claims.length === 0) return [];
  let now = yield* currentTimeMillis, wanted = [...claims].sort(byTime);
  yield* lockSchedules(sql, [...new Set(wanted.map(({ pipeline }) => pipeline))]);
  let unfinished = /* @__PURE__ */ new Map(), note = (each) => {
    let known = unfinished.get(each.pipeline);
    known === void 0 ? unfinished.set(each.pipeline, [each]) : known.push(each);
  };
  for (let each of yield* unfinishedOccurrences(sql)) note(each);
  let pauses = new Map((yield* paused(sql)).map((each) => [each.pipeline, each])), decided = wanted.map((each) => {
    let earlier = unfinished.get(each.pipeline)?.filter(({ instant }) => instant !== each.instant) ?? [], pause2 = each.cause === "hand" ? void 0 : pauses.get(each.pipeline), made = pause2 === void 0 || each.instant >= (pauseEnd(pause2.why) ?? Number.POSITIVE_INFINITY) ? { ...each, ...applyOverlap(each, earlier) } : skipPaused(each, pause2);
    return made.status === "waiting" && note(made), made;
  }), mine = (yield* forEach(
    blocks(decided),
    (some) => sql`INSERT INTO instants ${sql.insert(
      some.map((each) => ({
        pipeline: each.pipeline,
        instant: each.instant,
        due: each.due,
        cause: each.cause,
        status: each.status,
        owner: each.status === "waiting" ? owner : null,
        attempt: 0,
        reason: textOf(each.reason),
        claimed_at: now,
        ended_at: each.status === "waiting" ? null : now
      }))
    )} ON CONFLICT (pipeline, instant) DO NOTHING RETURNING *`
  )).flat().map(toRecord2).sort(byTime), keyOf = ({ instant, pipeline }) => `${pipeline} ${instant}`, byKey = new Map(decided.map((each) => [keyOf(each), each]));
  for (let each of mine) {
    let made = byKey.get(keyOf(each));
    if (made === void 0) continue;
    made.notices.length > 0 && (yield* add(sql, each, made.notices, now));
    let isFirst = (unfinished.get(each.pipeline)?.length ?? 0) < 2;
    made.status === "waiting" && made.overlap === "replace" && !isFirst && (yield* replace(sql, each, now));
  }
  return mine;
}), reclaim = (sql, owner, { instant, pipeline }) => gen(function* () {
  let now = yield* currentTimeMillis, [row] = yield* sql`UPDATE instants SET status = 'waiting', owner = ${owner}, reason = NULL,
      replaced_by = NULL, next_at = NULL, ended_at = NULL, claimed_at = ${now}, cause = 'hand'
      WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NOT NULL AND status <> 'completed'
      RETURNING *`;
  return row === void 0 ? void 0 : toRecord2(row);
}), lockPrefix = "schedule ", acquireLease = (connection) => gen(function* () {
  let { sql } = connection, owner = randomUUID2(), { lockLost: lost } = yield* acquire(connection, [`${lockPrefix}${owner}`]), write = make(
    (items) => forEach(items, (item) => item, { discard: !0 }).pipe(writing(connection, "updating occurrences"))
  ), batched = (item) => suspend(() => {
    let result = !1, ownWrite = map(item, (written) => {
      result = written;
    });
    return map(write(ownWrite), () => result);
  });
  return {
    owner,
    lost,
    claim: (claims) => claim(sql, owner, claims).pipe(writing(connection, "claiming occurrences")),
    reclaim: (which) => reclaim(sql, owner, which).pipe(writing(connection, "reclaiming an occurrence")),
    start: (which) => batched(start(sql, owner, which)),
    retry: (which, later) => batched(retry(sql, owner, which, later)),
    end: (which, outcome) => batched(end(sql, owner, which, outcome)),
    release: (which) => asVoid(batched(as(release(sql, owner, which), !0))),
    takeOver: fnUntraced(
      function* (accepts) {
        let unfinished = (yield* unfinishedOccurrences(sql)).filter((each) => each.owner !== owner && accepts(each));
        if (unfinished.length === 0) return [];
        let living = yield* leaseHolders(connection), orphans = unfinished.filter((each) => each.owner === void 0 || !living.has(each.owner));
        return orphans.length === 0 ? [] : yield* takeOver(sql, owner, orphans).pipe(writing(connection, "taking over occurrences"));
      },
      reading(connection, "looking for abandoned occurrences")
    ),
    owned: map(unfinishedOccurrences(sql), (all) => all.filter((each) => each.owner === owner)).pipe(
      reading(connection, "looking for occurrences")
    )
  };
}), leaseHolders = (connection) => map(
  heldNames(connection),
  (names) => new Set([...names].flatMap((name) => name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : []))
);

// src/Schedule/Store.ts
var make2 = (connection) => {
  let { sql } = connection, changing = writing(connection, "changing schedules");
  return {
    acquireLease: acquireLease(connection),
    leaseHolders: leaseHolders(connection),
    register: (pipelines) => register(sql, pipelines).pipe(changing),
    remove: (pipelines) => remove(sql, pipelines).pipe(changing),
    list: listSchedules(sql).pipe(reading(connection, "listing schedules")),
    pause: (pipeline, why) => pause(sql, pipeline, why).pipe(changing),
    resume: (pipeline) => resume(sql, pipeline).pipe(changing),
    paused: map(
      paused(sql),
      (rows) => new Map(rows.map(({ at, pipeline }) => [pipeline, at]))
    ).pipe(reading(connection, "looking for paused pipelines")),
    find: (which) => find(sql, which).pipe(reading(connection, "looking for an occurrence")),
    occurrences: (filter) => list2(sql, filter).pipe(reading(connection, "listing occurrences")),
    lastEnded: lastEnded(sql).pipe(reading(connection, "listing occurrences")),
    notifications: {
      take: (limit, hold) => flatMap(
        currentTimeMillis,
        (now) => flatMap(
          areDue(sql, now),
          (some) => some ? take(sql, now, limit, hold) : succeed([])
        )
      ).pipe(writing(connection, "leasing notifications")),
      sent: (id) => sent(sql, id).pipe(writing(connection, "marking a notification as sent")),
      postpone: (id, until) => postpone(sql, id, until).pipe(writing(connection, "postponing a notification")),
      failed: (id, error, nextAt) => failed(sql, id, error, nextAt).pipe(
        writing(connection, "marking a notification as not sent")
      ),
      list: (filter) => list(sql, filter).pipe(reading(connection, "listing notifications"))
    },
    prune: (before) => prune(sql, before, lockPrefix).pipe(writing(connection, "deleting old occurrences"))
  };
}, of = ({ connection }) => make2(connection), schedules = map(Ledger, of);

export {
  notificationsFor,
  pauseReason,
  pauseEnd,
  defaultRetention,
  of,
  schedules
};
