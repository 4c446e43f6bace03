/** Ledger of a large installation for the dashboard: 500 pipelines, 100,000 runs, 1,000,000 pages, and a folder with the 500 definitions. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database } from "../../src/Ledger.ts"

/** Every tenth run is one of {@link busy}; the others are spread evenly over the other pipelines. */
export const sizes = { pipelines: 500, runs: 100_000, pagesOfRun: 10, state: 100_000, rejects: 5_000, contracts: 20 }
/** Pipeline with 10,000 runs, which all read the same ten pages. */
export const busy = "pipeline-0"
/** A page with 10,000 versions. */
export const busyPage = "https://docs0.example.com/guide/busy-0.html"
/** Milliseconds between two runs: all of them fill a year. */
const interval = 5 * 60_000

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

const isBusy = (run: string) => `${run} % 10 = 0`
const pipelineOf = (run: string) =>
  `CASE WHEN ${isBusy(run)} THEN '${busy}' ELSE 'pipeline-' || (1 + ${run} % ${sizes.pipelines - 1}) END`

/** Definition of a pipeline as SQL, with a comment that changes every thousand runs. */
const definitionText = [
  "version: 1",
  "name: p",
  "schedule: { cron: ''7 * * * *'' }",
  "steps:",
  "  - urls: [https://example.com]",
  "  - crawl: { limit: 100 }",
  "  - where: metadata.statusCode = 200",
  "  - write: { jsonl: out.jsonl }",
  "# "
]
  .map((line) => `'${line}'`)
  .join(" || char(10) || ")

const slots = (letter: string) => letter.repeat(64)
const progress = JSON.stringify({
  given: { crawl: 100, where: 90, write: 90 },
  rejected: { where: 3 },
  now: { loads: {}, pages: 100, bytes: 1000, rows: 90 },
  timeline: { every: 500, steps: { urls: slots("w"), crawl: slots("r"), where: slots("."), write: slots("b") } }
})

/** Fills a ledger with one run, whose health figures the runs of {@link busy} get too. Returns ids of this run and of two of them. */
export const fill = (file: string, now: number) => {
  const start = now - sizes.runs * interval
  const startOf = (run: string) => `${start} + ${run} * ${interval}`
  const idOf = (run: string) =>
    `strftime('%Y%m%dT%H%M%S', (${startOf(run)}) / 1000, 'unixepoch') || '-' || printf('%06x', ${run})`
  const newest = sizes.runs - 10
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [first] = yield* sql<{ id: string }>`SELECT id FROM runs`
    const measured = first?.id ?? ""
    const statements = [
      `${numbers(sizes.runs)} INSERT INTO runs (id, pipeline, file, definition_hash, out_folder, folder, started_at,
        scheduled_for, state_key, status, progress, row_count, reject_count, call_credits, error, updated_at, ended_at)
      SELECT ${idOf("i")}, ${pipelineOf("i")}, '/srv/pipelines/' || ${pipelineOf("i")} || '.yaml', 'x' || (i / 1000), '/srv',
        '/srv/.sluice/runs/' || i, ${startOf("i")}, ${startOf("i")}, ${pipelineOf("i")},
        CASE WHEN i % 23 = 0 THEN 'failed' WHEN i % 1999 = 0 THEN 'running' ELSE 'completed' END, '${progress}', 90,
        CASE WHEN i = ${newest} THEN ${sizes.rejects} ELSE i % 7 END, 100,
        CASE WHEN i % 23 = 0 THEN 'crawl: https://docs' || (i % 97) || '.example.com answered with status 503 too often' END,
        ${startOf("i")} + 60000, ${startOf("i")} + 60000 FROM n`,
      `${numbers(sizes.runs)} INSERT INTO run_texts (run_id, definition, inputs, options, outputs)
      SELECT ${idOf("i")}, ${definitionText} || (i / 1000), '{}', '{}', '[{"path":"/srv/out-' || i || '.jsonl","format":"jsonl","rows":90,"bytes":1000}]' FROM n`,
      "DROP INDEX pages_key",
      `${numbers(sizes.runs * sizes.pagesOfRun)} INSERT INTO pages (run_id, seq, step, key, status, hash, job_id, credits, price, at)
      SELECT ${idOf(`(i / ${sizes.pagesOfRun})`)}, i % ${sizes.pagesOfRun} + 1, 'crawl',
        CASE WHEN ${isBusy(`(i / ${sizes.pagesOfRun})`)} THEN 'https://docs0.example.com/guide/busy-' || (i % 10) || '.html' ELSE
          printf('https://docs%d.example.com/%s/section-%d/%s-%d.html', i % 97,
          CASE i % 5 WHEN 0 THEN 'guide' WHEN 1 THEN 'reference' WHEN 2 THEN 'Archive' WHEN 3 THEN 'news' ELSE 'products' END,
          i % 977, CASE i % 3 WHEN 0 THEN 'introduction-to' WHEN 1 THEN 'release-notes' ELSE 'page' END, i) END,
        CASE WHEN i % 50 = 7 THEN 404 ELSE 200 END, printf('%064x', i / 5000), 'job-' || (i / ${sizes.pagesOfRun}), 1, 'known',
        ${startOf(`(i / ${sizes.pagesOfRun})`)} + i % 10 FROM n`,
      "CREATE INDEX pages_key ON pages (key, at)",
      `INSERT INTO spent (pipeline, slot, credits, unpriced)
      SELECT pipeline, started_at / 900000 * 900000, sum(call_credits), 0 FROM runs GROUP BY 1, 2`,
      `${numbers(sizes.rejects)} INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, content)
      SELECT ${idOf(String(newest))}, i + 1, 'where', 'https://docs1.example.com/' || i, 'p.yaml:7:5', 'CheckFailed',
        'row ' || i || ' has no title', '2026-01-01T00:00:00.000Z', '{"title":null,"markdown":"' || hex(zeroblob(1000)) || '"}' FROM n`,
      `INSERT INTO health (run_id, sink, pipeline, steps, series, at, published, released, metrics, verdicts)
      SELECT runs.id, sink, '${busy}', steps, series, runs.started_at, 1, 0, metrics, CASE WHEN sink <> '' AND runs.started_at = ${startOf(String(newest))}
        THEN '[{"sink":"write","metric":"rows","level":"broken","expected":"90","got":"3"},{"sink":"write","metric":"fill","field":"name","level":"unusual","expected":"100 %","got":"20 %"},{"sink":"write","metric":"lengths","field":"text","level":"unusual","expected":"200","got":"3"}]'
        ELSE '[]' END
      FROM runs JOIN health ON health.run_id = '${measured}' WHERE runs.pipeline = '${busy}'`,
      `${numbers(sizes.contracts)} INSERT INTO contracts (pipeline, hash, content, run_id, at)
      SELECT '${busy}', 'c' || i, replace(hex(zeroblob(300)), '000', 'column: { type: string }' || char(10)) || i, ${idOf("(i * 1000)")}, ${startOf("(i * 1000)")} FROM n`,
      `INSERT INTO shelves (id, state_key, step) SELECT 1 + coalesce(max(id), 0), '${busy}', 'changes' FROM shelves`,
      `${numbers(sizes.state)} INSERT INTO state (shelf, key, value, first_seen, last_seen)
      SELECT (SELECT max(id) FROM shelves), 'https://docs0.example.com/guide/page-' || i || '.html',
        '{"hash":"' || printf('%064x', i) || '","title":"page ' || i || '"}', ${start}, ${startOf(String(newest))} FROM n`,
      `${numbers(sizes.pipelines)} INSERT INTO schedules (pipeline, file, times, schedule, since, seen_at)
      SELECT 'pipeline-' || i, '/srv/pipelines/pipeline-' || i || '.yaml', 'x',
        CASE i % 5 WHEN 0 THEN '{"cron":"' || (i % 60) || ' * * * *","timezone":"UTC"}' WHEN 1 THEN '{"cron":"' || (i % 60) || ' 5 * * *","timezone":"Europe/Berlin"}'
          WHEN 2 THEN '{"cron":"' || (i % 60) || ' 4 * * 1","timezone":"America/New_York"}' WHEN 3 THEN '{"cron":"*/5 * * * *","timezone":"UTC"}'
          ELSE '{"cron":"' || (i % 60) || ' */6 * * *","timezone":"Asia/Tokyo"}' END, ${start}, ${now} FROM n`,
      `INSERT INTO occurrences (pipeline, scheduled_time, due, cause, status, run_id, attempt, claimed_at, begun_at, ended_at)
      SELECT pipeline, started_at, started_at, 'schedule', CASE status WHEN 'completed' THEN 'completed' ELSE 'failed' END, id, 1,
        started_at, started_at, updated_at FROM runs WHERE id <> '${measured}'`
    ]
    yield* sql.withTransaction(Effect.forEach(statements, (text) => sql.unsafe(text), { discard: true }))
    yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
    const [ids] = yield* sql<{ newest: string; earlier: string }>`SELECT ${sql.literal(idOf(String(newest)))} AS newest,
      ${sql.literal(idOf(String(newest - 5_000)))} AS earlier`
    return { measured, newest: ids?.newest ?? "", earlier: ids?.earlier ?? "" }
  }).pipe(Effect.provide(Layer.provide(database(file), NodeContext.layer)), Effect.runPromise)
}

/** Writes a definition for each pipeline, with steps, expressions and inputs as people write them. */
export const writeDefinitions = (folder: string): void => {
  mkdirSync(folder)
  for (let index = 0; index < sizes.pipelines; index++) {
    writeFileSync(
      join(folder, `pipeline-${index}.yaml`),
      `version: 1
name: pipeline-${index}
description: Pages of a documentation, once an hour.
inputs:
  start: { type: url, default: "https://docs${index}.example.com" }
  most: { type: integer, default: 100, minimum: 1, maximum: 1000 }
schedule: { cron: "7 * * * *", timezone: Europe/Berlin }
budget: { credits: 5000, per: day }
steps:
  - urls: ["\${{ inputs.start }}"]
  - crawl: { limit: "\${{ inputs.most }}", scrapeOptions: { formats: [markdown, links] } }
    retry: { times: 3 }
  - where: metadata.statusCode = 200 and $length(markdown) > 100
  - select: { url: metadata.sourceURL, title: $trim(metadata.title), text: markdown, links: $count(links) }
  - dedupe: { key: url }
  - write: { jsonl: "out/pipeline-${index}.jsonl" }
`
    )
  }
}
