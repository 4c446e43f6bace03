/** Dates, time zones and cells that other tools have changed on the way. */

import { describe, expect, it, scoped } from "../It.ts"
import { jsonLines, project } from "../Project.ts"
import { definition, type JobCase, runJob } from "./Job.ts"

/** Expressions over no row and their values; `fails` for a failed row. */
const fails = Symbol("fails")
const values: ReadonlyArray<readonly [expression: string, value: unknown]> = [
  // F5: moment/moment#668, #2311, camunda/feel-scala#889, apache/commons-cli#430, forcedotcom/dataloader#110
  ["$date('2024-02-30')", undefined],
  ["$date('2023-02-29')", undefined],
  ["$date('2024-02-29')", "2024-02-29T00:00:00.000Z"],
  ["$date('1900-02-29')", undefined],
  ["$date('2000-02-29')", "2000-02-29T00:00:00.000Z"],
  ["$date('2024-04-31T10:00:00Z')", undefined],
  ["$date('2024-04-31T10:00:00+02:00')", undefined],
  ["$date('2024-06-31 12:00')", undefined],
  ["$date('30 Feb 2024')", undefined],
  ["$date('29 Feb 2024')", "2024-02-29T00:00:00.000Z"],
  ["$date('Feb 31, 2024 10:00 GMT')", undefined],
  ["$date('Sat, 31 Nov 2026 10:00:00 +0100')", undefined],
  ["$date('Sat, 01 Jun 2024 12:00:00 +0530')", "2024-06-01T06:30:00.000Z"],
  ["$date('2024-02-29T24:00:00Z')", "2024-03-01T00:00:00.000Z"],
  ["$toMillis('2024-02-30')", undefined],
  ["$toMillis('2024-13-01')", undefined],
  ["$fromMillis($toMillis('2024-13-01'))", undefined],
  ["$toMillis('2024-02-29')", 1709164800000],
  ["$toMillis('30/02/2024', '[D]/[M]/[Y]')", undefined],
  ["$toMillis('29/02/2024', '[D]/[M]/[Y]')", 1709164800000],
  ["$toMillis('1/13/2024', '[D]/[M]/[Y]')", undefined],
  ["$toMillis('2023-366', '[Y]-[d]')", undefined],
  ["$toMillis('2024-366', '[Y]-[d]')", 1735603200000],
  ["$toMillis('2024-01-01 10:75', '[Y]-[M]-[D] [H]:[m]')", undefined],
  ["$fromMillis(1e20)", fails],
  // F6: jsonata-js/jsonata#787
  ["$fromMillis(1609459200000, undefined, '+05:00')", "2021-01-01T05:00:00.000+05:00"],
  ["$fromMillis(1609459200000, undefined, '+0530')", "2021-01-01T05:30:00.000+05:30"],
  ["$fromMillis(1609459200000, undefined, '-05:30')", "2020-12-31T18:30:00.000-05:30"],
  ["$fromMillis(1609459200000, '[H01]:[m01][Z]', '-0330')", "20:30-03:30"],
  ["$fromMillis(1609459200000, '[H01]:[m01] [Z0]', '-03:30')", "20:30 -3:30"],
  ["$fromMillis(1609459200000, undefined, '+05')", "2021-01-01T05:00:00.000+05:00"],
  ["$fromMillis(1609459200000, undefined, '-5')", "2020-12-31T19:00:00.000-05:00"],
  ["$fromMillis(1609459200000, undefined, 'Z')", "2021-01-01T00:00:00.000Z"],
  ["$fromMillis(1609459200000, undefined, 'UTC')", "2021-01-01T00:00:00.000Z"],
  ["$fromMillis(1609459200000, undefined, 'Europe/Berlin')", "2021-01-01T01:00:00.000+01:00"],
  ["$fromMillis(1625097600000, undefined, 'Europe/Berlin')", "2021-07-01T02:00:00.000+02:00"],
  ["$fromMillis(1609459200000, undefined, 'Asia/Kathmandu')", "2021-01-01T05:45:00.000+05:45"],
  ["$fromMillis(1609459200000, undefined, 'America/St_Johns')", "2020-12-31T20:30:00.000-03:30"],
  ["$fromMillis(1609459200000, undefined, '')", fails],
  ["$fromMillis(1609459200000, undefined, '+9999')", fails],
  ["$fromMillis(1609459200000, undefined, 'Mars/Base')", fails],
  ["$now(undefined, 'nowhere')", fails],
  ["$length($now('[H01]:[m01][Z]', '-03:30'))", 11]
]

const csv = (more = "") => definition(`- read: in.csv\n- write: { csv: out.csv${more} }`)

const cases: ReadonlyArray<JobCase> = [
  {
    name: "a date column holds no impossible day, however dates are written",
    source: "cfpb/hmda-platform#4388",
    input: "22-dates-rollover",
    files: {
      "r.jsonl": jsonLines([{ d: "2024-02-30" }, { d: "2024-02-29" }, { d: "31 Apr 2024" }]),
      "p.yaml": definition(`- read: r.jsonl
- id: iso
  write: { csv: iso.csv, columns: { d: date } }
- id: date
  from: read
  write: { csv: date.csv, columns: { d: date }, dates: date }`)
    },
    out: { "iso.csv": "d\n2024-02-29\n", "date.csv": "d\n2024-02-29\n" },
    says: [/4 rejects/]
  },
  // F9
  {
    name: "plain numbers are no formulas",
    source: "grafana/grafana#17363, woocommerce#25379, hhurz/tableExport#296",
    input: "14-negative-csv",
    files: { "in.csv": `${"a;b;c;d;e;f\n".replaceAll(";", ",")}-5.00,-1.5e3,+3,-0,"-1.234,56",-\n`, "p.yaml": csv() },
    out: { "out.csv": 'a,b,c,d,e,f\n-5.00,-1.5e3,+3,-0,"-1.234,56",-\n' }
  },
  {
    name: "what a spreadsheet would run is escaped still",
    source: "own",
    input: "14-negative-csv",
    files: { "in.csv": "a,b,c,d,e\n-5+cmd,+49 30 1234,=1,-1e5|x,- bullet\n", "p.yaml": csv() },
    out: { "out.csv": "a,b,c,d,e\n'-5+cmd,'+49 30 1234,'=1,\"'-1e5|x\",'- bullet\n" }
  }
]

describe("values of jobs", () => {
  scoped("dates and time zones in expressions are right, nothing, or a failed row", function* () {
    const { run } = yield* project({ files: { "r.jsonl": "{}\n" } })
    const steps = values.map(
      ([expression], index) => `  - id: s${index}
    from: read
    select: { v: ${JSON.stringify(expression)} }
`
    )
    const ended = yield* run(`  - read: r.jsonl\n${steps.join("")}`)
    for (const [index, [expression, value]] of values.entries()) {
      const rows = ended.emitted(`s${index}`)
      expect(rows.length === 0 ? fails : rows[0]?.data.v, expression).toEqual(value)
    }
  })

  it.scoped.each(cases)("$name", function* (given) {
    const ended = yield* runJob(given)
    expect(ended.code, ended.err).toBe(given.code ?? 0)
    for (const [name, content] of Object.entries(given.out ?? {})) expect(ended.read(name)).toBe(content)
    for (const pattern of given.says ?? []) expect(ended.err).toMatch(pattern)
  })
})
