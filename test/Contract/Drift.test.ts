/** Drift of rows from their contract: each case evolves, rejects or stores as the contract says, and files stay readable. */

import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { ColumnType, typeOf } from "../../src/Contract/ColumnType.ts"
import { type Column, OutputContract, outputOf, type ResolvedOutput } from "../../src/Contract/Contract.ts"
import * as Drift from "../../src/Contract/Drift.ts"
import { jsonSchema } from "../../src/Contract/Emit.ts"
import type { Data } from "../../src/Row.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"

const policies = { onNew: "add", onType: "widen", onMissing: "null" } as const

const resolved = (output: typeof OutputContract.Encoded): ResolvedOutput => {
  const decoded = Schema.decodeSync(OutputContract)(output)
  const contract = outputOf({ version: 1, ...policies, outputs: { write: decoded } }, "write")
  if (contract === undefined) throw new Error("there is no output")
  return contract
}

const lines: Drift.Format = { isText: false, store: (value) => value }
const table: Drift.Format = { ...lines, isText: true }

type Policy = Partial<Pick<typeof OutputContract.Encoded, "onMissing" | "onNew" | "onType">>
type Written = (typeof OutputContract.Encoded)["columns"][string]
type Outcome = { readonly stored: unknown; readonly column?: Partial<Column> } | "rejected"

/** A value that meets a column, what the contract says, and what comes of it. */
const cases: ReadonlyArray<readonly [what: string, column: Written, policy: Policy, value: unknown, outcome: Outcome]> =
  [
    ["a value that fits stays", { type: "integer" }, {}, 5, { stored: 5, column: { type: "integer" } }],
    ["an integer fits number", { type: "number" }, { onType: "reject" }, 5, { stored: 5 }],
    ["a number fits decimal, as text", { type: "decimal" }, { onType: "reject" }, 5.25, { stored: "5.25" }],
    ["digits fit decimal", { type: "decimal" }, { onType: "reject" }, "-0.10", { stored: "-0.10" }],
    ["anything fits json", { type: "json" }, { onType: "reject" }, { a: [1] }, { stored: { a: [1] } }],
    [
      "a Date fits timestamp",
      { type: "timestamp" },
      { onType: "reject" },
      new Date(0),
      { stored: "1970-01-01T00:00:00.000Z" }
    ],
    ["integer widens to number", { type: "integer" }, {}, 5.5, { stored: 5.5, column: { type: "number" } }],
    ["integer widens to json for a text", { type: "integer" }, {}, "x", { stored: "x", column: { type: "json" } }],
    ["number widens to json for a boolean", { type: "number" }, {}, true, { stored: true, column: { type: "json" } }],
    ["boolean widens to json for a number", { type: "boolean" }, {}, 1, { stored: 1, column: { type: "json" } }],
    ["date widens to string", { type: "date" }, {}, "soon", { stored: "soon", column: { type: "string" } }],
    [
      "date widens to string for a timestamp",
      { type: "date" },
      {},
      "2026-01-01T00:00:00Z",
      { stored: "2026-01-01T00:00:00Z", column: { type: "string" } }
    ],
    ["timestamp widens to string", { type: "timestamp" }, {}, 7, { stored: "7", column: { type: "string" } }],
    ["decimal widens to string", { type: "decimal" }, {}, "free", { stored: "free", column: { type: "string" } }],
    [
      "string stores another value as text",
      { type: "string" },
      {},
      [1, "a"],
      { stored: '[1,"a"]', column: { type: "string" } }
    ],
    ["a column of its own policy rejects", { type: "integer", onType: "reject" }, {}, "x", "rejected"],
    ["reject refuses another type", { type: "integer" }, { onType: "reject" }, "5", "rejected"],
    ["reject refuses a day that does not exist", { type: "date" }, { onType: "reject" }, "2026-02-30", "rejected"],
    [
      "coerce reads a number",
      { type: "integer" },
      { onType: "coerce" },
      " 5.0 ",
      { stored: 5, column: { type: "integer" } }
    ],
    ["coerce refuses what it would cut", { type: "integer" }, { onType: "coerce" }, "5.5", "rejected"],
    [
      "coerce refuses digits that a number cannot hold",
      { type: "integer" },
      { onType: "coerce" },
      "9007199254740993",
      "rejected"
    ],
    ["coerce reads a boolean", { type: "boolean" }, { onType: "coerce" }, "TRUE", { stored: true }],
    ["coerce refuses 1 for a boolean", { type: "boolean" }, { onType: "coerce" }, 1, "rejected"],
    [
      "coerce refuses digits that a fraction cannot hold",
      { type: "number" },
      { onType: "coerce" },
      "12345678901234.567",
      "rejected"
    ],
    ["coerce refuses what would become 0", { type: "number" }, { onType: "coerce" }, "1e-400", "rejected"],
    [
      "coerce does not cut a timestamp to its day",
      { type: "date" },
      { onType: "coerce" },
      "2026-01-31T23:00:00Z",
      "rejected"
    ],
    ["coerce does not make up a time", { type: "timestamp" }, { onType: "coerce" }, "2026-01-31", "rejected"],
    ["coerce writes a number as text", { type: "string" }, { onType: "coerce" }, 5, { stored: "5" }],
    ["a value of the enum stays", { type: "string", enum: ["a"] }, { onType: "reject" }, "a", { stored: "a" }],
    ["a value beyond the enum is rejected", { type: "string", enum: ["a"] }, { onType: "reject" }, "b", "rejected"],
    ["widen drops the enum", { type: "string", enum: ["a"] }, {}, "b", { stored: "b", column: {} }],
    ["coerce keeps to the enum", { type: "integer", enum: [1] }, { onType: "coerce" }, "2", "rejected"],
    [
      "a missing value makes the column nullable",
      { type: "integer" },
      {},
      undefined,
      { stored: null, column: { nullable: true } }
    ],
    ["null is a missing value", { type: "integer" }, { onMissing: "reject" }, null, "rejected"],
    ["NaN is a missing value", { type: "number" }, { onMissing: "reject" }, Number.NaN, "rejected"],
    [
      "a nullable column may lack its value",
      { type: "integer", nullable: true },
      { onMissing: "reject" },
      undefined,
      { stored: null }
    ],
    ["a column of its own policy must have a value", { type: "integer", onMissing: "reject" }, {}, null, "rejected"]
  ]

const text: Column = { type: "string", nullable: true }

/** Rows that hold the outputs, how they are stored meanwhile, and what is said. */
const holding: ReadonlyArray<readonly [string, typeof OutputContract.Encoded, Data, Data, ReadonlyArray<string>]> = [
  [
    "a new field",
    { onNew: "hold", columns: {} },
    { y: 5 },
    { y: 5 },
    ["y: no such field (contract), but a field of type integer"]
  ],
  ["a new field that is null holds nothing", { onNew: "hold", columns: {} }, { y: null }, {}, []],
  [
    "a value of another type",
    { onType: "hold", columns: { x: { type: "integer" } } },
    { x: "soon" },
    { x: "soon" },
    ["x: type integer (contract), but type string"]
  ],
  [
    "a value of another type in a column of its own policy",
    { columns: { x: { type: "decimal", onType: "hold" }, z: { type: "integer" } } },
    { x: "free", z: "wider" },
    { x: "free", z: "wider" },
    ["x: type decimal (contract), but type string"]
  ],
  [
    "a value that is stored as text",
    { onType: "hold", columns: { x: { type: "string" } } },
    { x: 7 },
    { x: "7" },
    ["x: type string (contract), but type integer"]
  ],
  [
    "a value beyond the enum",
    { onType: "hold", columns: { x: { type: "string", enum: ["a", "b"] } } },
    { x: "c" },
    { x: "c" },
    ["x: one of its 2 values (contract), but another one"]
  ],
  [
    "a missing value",
    { onMissing: "hold", columns: { x: { type: "string" } } },
    {},
    { x: null },
    ["x: a value in every row (contract), but rows without one"]
  ],
  [
    "a missing value of a column of its own policy",
    { columns: { x: { type: "string", onMissing: "hold" }, z: { type: "string" } } },
    { x: null },
    { x: null, z: null },
    ["x: a value in every row (contract), but rows without one"]
  ],
  [
    "a column of its own policy does not hold",
    { onType: "hold", columns: { x: { type: "integer", onType: "widen" } } },
    { x: 1.5 },
    { x: 1.5 },
    []
  ]
]

const fresh: ReadonlyArray<readonly [what: string, policy: Policy, value: unknown, outcome: Outcome | "left out"]> = [
  ["a new field becomes a nullable column", {}, 5, { stored: 5, column: { type: "integer", nullable: true } }],
  ["a new field of a day", {}, "2026-01-31", { stored: "2026-01-31", column: { type: "date", nullable: true } }],
  ["a new field that is null waits for a value", {}, null, "left out"],
  ["drop leaves a new field out", { onNew: "drop" }, 5, "left out"],
  ["reject refuses the row", { onNew: "reject" }, 5, "rejected"]
]

describe("drift", () => {
  for (const [what, column, policy, value, outcome] of cases) {
    it(what, () => {
      const drift = Drift.make(resolved({ ...policy, columns: { x: column } }), undefined, lines)
      const before = drift.columns()
      const row = drift.conform(value === undefined ? {} : { x: value })
      if (outcome === "rejected") {
        expect(Either.isLeft(row) && row.left._tag).toBe("ContractBroken")
        expect(drift.columns()).toEqual(before)
        return
      }
      expect(Either.getOrThrow(row)).toEqual({ x: outcome.stored })
      expect(drift.columns().x).toMatchObject(outcome.column ?? before.x ?? {})
      if (what === "widen drops the enum") expect(drift.columns().x).not.toHaveProperty("enum")
      expect(drift.hasEvolved()).toBe(JSON.stringify(drift.columns()) !== JSON.stringify(before))
    })
  }

  for (const [what, policy, value, outcome] of fresh) {
    it(what, () => {
      const drift = Drift.make(resolved({ ...policy, columns: {} }), undefined, lines)
      const row = drift.conform({ y: value })
      if (outcome === "rejected") expect(Either.isLeft(row)).toBe(true)
      else if (outcome === "left out") {
        expect(row).toEqual(Either.right({}))
        expect(drift.columns()).toEqual({})
      } else {
        expect(row).toEqual(Either.right({ y: outcome.stored }))
        expect(drift.columns().y).toEqual(outcome.column)
      }
    })
  }

  for (const [what, output, data, stored, said] of holding) {
    it(`hold: ${what}`, () => {
      const contract = resolved(output)
      const drift = Drift.make(contract, undefined, lines)
      const sentences = () => drift.held().map(({ got, column, expected }) => `${column}: ${expected}, but ${got}`)
      expect(drift.conform(data)).toEqual(Either.right(stored))
      expect(sentences()).toEqual(said)
      // The next rows are like this one: nothing more is said.
      drift.conform(data)
      expect(sentences()).toEqual(said)
      // A resumed run still holds.
      const saved = JSON.parse(JSON.stringify({ columns: drift.columns(), held: drift.held() }))
      expect(Drift.make(contract, saved, lines).held()).toEqual(drift.held())
    })
  }

  it("hold leaves a new field out of a file that can get no further columns", () => {
    const drift = Drift.make(resolved({ onNew: "hold", columns: {} }), undefined, { ...table, isClosed: true })
    expect(drift.conform({ y: 5 })).toEqual(Either.right({}))
    expect(drift.columns()).toEqual({})
    expect(drift.held()).toHaveLength(1)
  })

  it("hold notes a new field that no column is left for", () => {
    const drift = Drift.make(resolved({ onNew: "hold", columns: {} }), undefined, lines)
    const before = { columns: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`c${n}`, text])), held: [] }
    const full = Drift.make(resolved({ onNew: "hold", columns: {} }), before, lines)
    expect([drift, full].map(({ conform }) => Either.getOrThrow(conform({ y: 1 })))).toEqual([{ y: 1 }, {}])
    expect(full.held()).toEqual(drift.held())
    expect(full.held()).toHaveLength(1)
  })

  it("hold says so much at most", () => {
    const drift = Drift.make(resolved({ onNew: "hold", columns: {} }), undefined, lines)
    drift.conform(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n])))
    expect(drift.held()).toHaveLength(100)
    expect(Object.keys(drift.columns())).toHaveLength(500)
  })

  it("the text of a cell fits the type that it reads as, and stays as it is", () => {
    const columns = {
      price: { type: "number" },
      sold: { type: "boolean" },
      free: { type: "integer", nullable: true }
    } as const
    const contract = resolved({ onType: "reject", columns })
    const drift = Drift.make(contract, undefined, table)
    const row = { price: "19.90", sold: "true", free: "" }
    expect(drift.conform(row)).toEqual(Either.right({ ...row, free: null }))
    expect(Either.isLeft(drift.conform({ ...row, price: "19,90" }))).toBe(true)
    expect(drift.hasEvolved()).toBe(false)
  })

  it("a row that is rejected changes nothing, whatever it brought", () => {
    const contract = resolved({ columns: { a: { type: "integer" }, b: { type: "integer", onType: "reject" } } })
    const drift = Drift.make(contract, undefined, lines)
    expect(Either.isLeft(drift.conform({ a: "wider", b: "wrong", c: 1 }))).toBe(true)
    expect(drift.columns()).toEqual(contract.columns)
    expect(drift.hasEvolved()).toBe(false)
  })

  it("names that every object inherits are columns like others", () => {
    const drift = Drift.make(resolved({ columns: {} }), undefined, lines)
    const row = drift.conform(JSON.parse('{"__proto__": 1, "constructor": 2}'))
    expect(JSON.stringify(Either.getOrThrow(row))).toBe('{"__proto__":1,"constructor":2}')
  })
})

const scalar = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom("a", "", "5", "-1.50", "true", "2026-01-31", "2026-01-31T10:00:00Z", '{"a":1}'),
  fc.constant(null),
  fc.constant(new Date(0)),
  fc.array(fc.integer(), { maxLength: 2 })
)
const names = ["a", "b", "c", "d"]
const row = fc.dictionary(fc.constantFrom(...names), scalar, { noNullPrototype: true })
const column = fc.record(
  {
    type: fc.constantFrom(...ColumnType.literals),
    nullable: fc.boolean()
  },
  { requiredKeys: ["type"] }
)
const contract = fc.record({
  columns: fc.dictionary(fc.constantFrom(...names.slice(0, 3)), column, { noNullPrototype: true }),
  onNew: fc.constantFrom<"add" | "drop" | "reject" | "hold">("add", "drop", "reject", "hold"),
  onType: fc.constantFrom<"widen" | "coerce" | "reject" | "hold">("widen", "coerce", "reject", "hold"),
  onMissing: fc.constantFrom<"null" | "reject" | "hold">("null", "reject", "hold")
})

describe("a published file", () => {
  const ajv = new Ajv2020({ allowUnionTypes: true })
  ajv.addFormat("date", (text) => typeOf(text) === "date")
  ajv.addFormat("date-time", (text) => typeOf(text) === "timestamp")

  it.skipIf(skipsLong)("is readable by its own schema after any sequence of evolutions, also through a resume", () => {
    fc.assert(
      fc.property(contract, fc.array(row, { maxLength: 12 }), fc.nat(12), (written, rows, at) => {
        const output = resolved(written)
        let drift = Drift.make(output, undefined, lines)
        const file: Array<string> = []
        for (const [index, data] of rows.entries()) {
          // A resumed run has the columns of its last commit.
          const saved = JSON.stringify({ columns: drift.columns(), held: drift.held() })
          if (index === at) drift = Drift.make(output, JSON.parse(saved), lines)
          const stored = drift.conform(data)
          if (Either.isRight(stored)) file.push(JSON.stringify(stored.right))
        }
        const validate = ajv.compile(jsonSchema("rows", drift.columns(), false))
        for (const line of file) expect([validate(JSON.parse(line)), line, validate.errors]).toEqual([true, line, null])
      }),
      { numRuns: repetitions(500, 150) }
    )
  })
})
