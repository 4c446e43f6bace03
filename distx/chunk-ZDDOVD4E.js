import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  compile,
  make2 as make,
  rowNames
} from "./chunk-PGOM52WJ.js";
import {
  Array$,
  Boolean$,
  Int,
  Literal,
  NonEmptyArray,
  NonEmptyString,
  Number$,
  Record,
  String$,
  Struct,
  Type,
  Union2 as Union,
  Unknown,
  declare,
  filter,
  nonNegative,
  optional,
  positive,
  transformOrFail
} from "./chunk-PAQDWWDE.js";
import {
  all,
  mapLeft,
  right
} from "./chunk-FWQRLSGQ.js";

// src/Pipeline/TestFile.ts
var Row = Record({ key: String$, value: Unknown }).annotations({
  description: "a row: an object of fields"
}), FileName = NonEmptyString.annotations({ description: "a file, relative to the test file" }), texts = Union(String$, Array$(String$)).annotations({
  description: "an expression (JSONata), or an array of them"
}), testNames = rowNames.filter((name) => name !== "steps"), Expressions = declare(
  (value) => Array.isArray(value)
), Predicate = transformOrFail(texts, Expressions, {
  strict: !0,
  decode: (written, _, ast) => mapLeft(
    all(
      (typeof written == "string" ? [written] : written).map((each) => compile(each, { names: testNames }))
    ),
    (error) => new Type(ast, written, error.message)
  ),
  encode: (expressions) => right(expressions.map(({ source }) => source))
}), Bound = Int.pipe(nonNegative()), Count = Union(
  Bound,
  Struct({ min: optional(Bound), max: optional(Bound) })
).annotations({ description: "a number, or { min, max }" }), RowsExpectation = Struct({
  count: optional(Count).annotations({ description: "The number of rows, or { min, max }." }),
  equals: optional(Union(Array$(Row), FileName)).annotations({
    description: "All rows, as an array or as the name of a file; of an output, its exact content."
  }),
  order: optional(Literal("given", "any")).annotations({
    description: "Whether `equals` means the order as well: given (the default) or any."
  }),
  contains: optional(Array$(Row)).annotations({
    description: "Parts of rows: for each there is a row that has all of it."
  }),
  fields: optional(Array$(String$)).annotations({
    description: "The fields that every row has, and no others."
  }),
  every: optional(Predicate).annotations({ description: "True for every row." }),
  some: optional(Predicate).annotations({ description: "True for at least one row." }),
  none: optional(Predicate).annotations({ description: "True for no row." }),
  list: optional(Predicate).annotations({
    description: "True for the list of all rows: `$count($distinct(url)) = $count($)`."
  })
}), Given = Struct({
  recording: optional(FileName).annotations({
    description: "The service's recorded answers; `sluice test --record` makes the file."
  }),
  rows: optional(
    Record({ key: String$, value: Union(Array$(Row), FileName) })
  ).annotations({
    description: "By the id of a step: rows that it gives in place of its own, as an array or as a JSONL file. $key and $source may stand among their fields."
  })
}), Expect = Struct({
  status: optional(Literal("completed", "failed", "budget")).annotations({
    description: "How the run ends: completed (the default), failed or budget."
  }),
  error: optional(NonEmptyString).annotations({
    description: "A part of the message with which it fails; the status is then failed."
  }),
  rows: optional(Record({ key: String$, value: RowsExpectation })).annotations({
    description: "By the id of a step: the rows that it gives."
  }),
  outputs: optional(Record({ key: String$, value: RowsExpectation })).annotations({
    description: "By the path of an output, as the definition writes it: its rows; those of CSV are texts."
  }),
  rejects: optional(RowsExpectation).annotations({
    description: "Lines of the reject file, with step, error, message and row. Without it, none are expected."
  }),
  credits: optional(Number$).annotations({ description: "What the run costs." })
}), TestCase = Struct({
  name: NonEmptyString.annotations({ description: "a sentence: what the pipeline does" }),
  inputs: optional(
    Record({ key: String$, value: Union(String$, Number$, Boolean$) })
  ).annotations({
    description: "Inputs of the pipeline; paths are relative to the test file, {site} is the address of a site."
  }),
  site: optional(FileName).annotations({
    description: "A folder of pages, served while the test is recorded; {site} in inputs is its address."
  }),
  env: optional(Record({ key: String$, value: String$ })).annotations({
    description: "Environment variables; a test sees no others."
  }),
  limit: optional(Int.pipe(positive())).annotations({
    description: "At most so many rows from each source, as --limit."
  }),
  now: optional(
    String$.pipe(
      filter((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
    ).annotations({ description: "a date and time like 2026-03-01T09:00:00Z" })
  ).annotations({ description: "The run's clock; default: 2026-01-01T00:00:00Z." }),
  given: optional(Given),
  expect: Expect
}), testFields = {
  pipeline: optional(FileName).annotations({
    description: "The definition; default: the one beside this file that has its name."
  }),
  tests: NonEmptyArray(TestCase).annotations({ description: "an array of at least one test" })
}, TestFrame = Struct(testFields).annotations({
  parseOptions: { errors: "all", onExcessProperty: "error" }
}), defaultNow = "2026-01-01T00:00:00Z", isNoise = (key, value) => key === "$id" || key === "title" && typeof value == "string" && /^[a-z]/.test(value), tidy = (value) => Array.isArray(value) ? value.map(tidy) : typeof value != "object" || value === null ? value : Object.fromEntries(
  Object.entries(value).filter(([key, each]) => !isNoise(key, each)).map(([key, each]) => [key, tidy(each)])
), testSchema = () => {
  let { $schema: _, ...rest } = make(TestFrame);
  return { $schema: "http://json-schema.org/draft-07/schema#", title: "Sluice pipeline tests", ...tidy(rest) };
};

export {
  TestFrame,
  defaultNow,
  testSchema
};
