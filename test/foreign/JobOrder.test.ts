/** Fields and columns whose names look like integers keep their places. */

import { describe, expect, it } from "../It.ts"
import { definition, type JobCase, runJob } from "./Job.ts"

const input = "18-numeric-names"
const source = "adaltas/node-csv-parse#136, mafintosh/csv-parser#69, d3/d3#2653, brianlagunas/Excel2Json#15"
const years = "name,2024,2023\nann,10,20\nbob,30,40\n"
const nested = '{"a":1,"n":{"z":1,"2024":2,"2023":[{"y":1,"7":2}],"k":{"3":0}}}'
const rows = '{"name":"ann","2024":"10","2023":"20"}\n{"name":"bob","2024":"30","2023":"40"}\n'

const cases: ReadonlyArray<JobCase> = [
  {
    name: "columns without a header are in the order of the definition",
    source,
    input,
    run: "p-nohead2.yaml",
    out: { "nohead2.jsonl": rows }
  },
  {
    name: "types of columns without a header go with their names",
    source,
    input,
    run: "p-nohead.yaml",
    out: { "nohead.jsonl": rows.replace(/"(\d\d)"/g, "$1") }
  },
  {
    name: "a joined file without a header has its columns in the order of the definition",
    source,
    input,
    run: "p-join.yaml",
    out: { "join.jsonl": '{"n":"ann","name":"ann","2024":"10","2023":"20"}\n' }
  },
  {
    name: "the columns of a CSV file are in the order of the definition",
    source,
    input,
    run: "p-cols.yaml",
    out: { "cols.csv": years }
  },
  { name: "a copy of a table keeps the order of its columns", source, input, out: { "copy.csv": years } },
  {
    name: "select, aggregate and an appended file keep the order of their names",
    source,
    input,
    run: "p-agg.yaml",
    files: { "app.csv": "name,2024,2023\nold,1,2\n" },
    out: {
      "sel.csv": "who,10,9\nann,10,20\nbob,30,40\n",
      "agg.csv": "name,total,2024,2023\nann,1,10,20\nbob,1,30,40\n",
      "app.csv": "name,2024,2023\nold,1,2\nann,10,20\nbob,30,40\n"
    }
  },
  {
    name: "lines of JSON keep the order of their fields, through steps and the disk",
    source: "own",
    input,
    files: {
      "r.jsonl": rows,
      "p.yaml": definition(`- read: r.jsonl
- sort: { by: name, maxRows: 1 }
- dedupe: { key: name }
- where: name != "x"
- write: { jsonl: out.jsonl }
- write: { csv: out.csv }`)
    },
    out: { "out.jsonl": rows, "out.csv": years }
  },
  {
    name: "nested names and escaped ones are no fields of the row",
    source: "own",
    input,
    files: {
      "r.jsonl": '{"b":{"7":1,"x":"1\\":"},"a\\"5":[{"3":1}],"2":null,"1":{"0":"{"}}\n',
      "p.yaml": definition("- read: r.jsonl\n- write: { jsonl: out.jsonl }")
    },
    out: { "out.jsonl": '{"b":{"7":1,"x":"1\\":"},"a\\"5":[{"3":1}],"2":null,"1":{"0":"{"}}\n' }
  },
  {
    name: "nested objects keep the order of their fields while they stay in their field, also as columns of flatten",
    source: "own",
    input,
    files: {
      "r.jsonl": `${nested}\n`,
      "p.yaml": definition(`- read: r.jsonl
- sort: { by: a, maxRows: 1 }
- where: a = 1
- write: { jsonl: out.jsonl }
- write: { csv: out.csv, columns: { n: json } }
- select: { n: n, 9: a, a: a }
- write: { jsonl: sel.jsonl }
- flatten: {}
- write: { csv: flat.csv }`)
    },
    out: {
      "out.jsonl": `${nested}\n`,
      "out.csv": 'n\n"{""z"":1,""2024"":2,""2023"":[{""y"":1,""7"":2}],""k"":{""3"":0}}"\n',
      "sel.jsonl": '{"n":{"z":1,"2024":2,"2023":[{"y":1,"7":2}],"k":{"3":0}},"9":1,"a":1}\n',
      "flat.csv": 'n.z,n.2024,n.2023,n.k.3,9,a\n1,2,"[{""7"":2,""y"":1}]",0,1,1\n'
    }
  },
  {
    name: "the columns of a contract are in its order, whatever that of the rows",
    source: "own",
    input,
    files: {
      "r.jsonl": rows,
      "p.yaml": definition(`- read: r.jsonl
- id: table
  write: { csv: out.csv }
- id: lines
  write: { jsonl: out.jsonl }`),
      "p.contract.yaml": `version: 1
outputs:
  table: { columns: { 2024: { type: string }, name: { type: string }, 2023: { type: string } } }
  lines: { columns: { 2024: { type: string }, name: { type: string } } }
`
    },
    out: {
      "out.csv": "2024,name,2023\n10,ann,20\n30,bob,40\n",
      "out.jsonl": '{"2024":"10","name":"ann","2023":"20"}\n{"2024":"30","name":"bob","2023":"40"}\n'
    }
  },
  {
    name: "a function keeps the order that its row came with, and declared columns are as declared whatever it makes",
    source: "own",
    input,
    allowsCode: true,
    files: {
      "r.jsonl": rows,
      "own.ts":
        'export const same = (row) => ({ ...row, total: 1 })\nexport const made = () => ({ zeta: 1, "2024": 2, "2023": 3 })\n',
      "p.yaml": definition(`- id: r
  read: r.jsonl
- limit: 1
- id: l
  use: { module: ./own.ts, export: same }
- write: { jsonl: same.jsonl }
- from: l
  use: { module: ./own.ts, export: made }
- write: { csv: made.csv, columns: { zeta: string, 2024: string, 2023: string } }`)
    },
    out: {
      "same.jsonl": '{"name":"ann","2024":"10","2023":"20","total":1}\n',
      "made.csv": "zeta,2024,2023\n1,2,3\n"
    }
  },
  {
    name: "keys that look like numbers are kept as they are written",
    source: "microsoft/fabric-cicd#1072, codeql-variant-analysis-action#845",
    input: "35-yaml-leading-zero",
    files: {
      "p.yaml": definition(`- read: r.jsonl
- select: { 007: "1", 1.10: "2", 0x10: "3", 1e3: "4" }
- write: { csv: out.csv, columns: { 1e3: string, 0x10: string, 007: string, 1.10: string } }
- write: { jsonl: out.jsonl }`)
    },
    says: [/1 row|2 rows|rows/]
  }
]

describe("order of fields", () => {
  it.scoped.each(cases)("$name", function* (given) {
    const ended = yield* runJob(given)
    expect(ended.code, ended.err).toBe(given.code ?? 0)
    for (const [name, content] of Object.entries(given.out ?? {})) expect(ended.read(name)).toBe(content)
    if (given.input === "35-yaml-leading-zero") {
      expect(ended.read("out.csv")).toMatch(/^1e3,0x10,007,1\.10\n4,3,1,2\n/)
      expect(ended.read("out.jsonl")).toMatch(/^\{"007":1,"1.10":2,"0x10":3,"1e3":4\}\n/)
    }
  })
})
