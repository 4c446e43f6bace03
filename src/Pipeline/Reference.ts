/** The pipeline language as data, derived from the schemas: steps, sinks, their fields, common keys and expression functions. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { catalogue, type FunctionEntry } from "../Row/Expression/Catalogue.ts"
import { isExpression, rowNames } from "../Step/Field.ts"
import type * as Step from "../Step.ts"
import { runNames } from "./Check.ts"
import { Common, commonFields, Frame, ignoredKeys } from "./Definition.ts"
import { expectation, flatten, knownKeys, withKeyDescriptions } from "./Expectation.ts"
import { builtIn } from "./Extensions.ts"
import type { Steps } from "./Node.ts"
import { TestCase, TestFrame } from "./TestFile.ts"

/** A literal value, or an expression evaluated for each row. Every literal may contain `${{ }}`. */
export type Form = "literal" | "literal or expression" | "expression"

export interface Field {
  /** Name of the field, after the names of the objects and arrays around it: `scrapeOptions.formats`, `notify[].on`. */
  readonly name: string
  readonly required: boolean
  /** The accepted values, for example `a whole number from 1 to 100`. */
  readonly type: string
  readonly form: Form
  /** The default value, as JSON. */
  readonly default?: unknown
  readonly about?: string | undefined
}

/** One of the forms in which a step's value can be written. */
export interface Shape {
  readonly type: string
  readonly form: Form
  readonly fields: ReadonlyArray<Field>
}

/** The encoded side of a schema, without filters and transformations. */
const written = (ast: AST.AST): AST.AST => {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return written(ast.from)
    case "Suspend":
      return written(ast.f())
    default:
      return ast
  }
}

/** True for an object of the form `{ expr: … }`. */
const isComputed = (ast: AST.AST): boolean => {
  const inner = written(ast)
  const [only, more] = AST.isTypeLiteral(inner) ? inner.propertySignatures : []
  return only?.name === "expr" && more === undefined && isExpression(only.type)
}

export const formOf = (ast: AST.AST): Form =>
  flatten(ast).every(isExpression) ? "expression" : flatten(ast).some(isComputed) ? "literal or expression" : "literal"

/** The forms of a value, except `{ expr: … }`. A union without that form is kept whole, because its own phrase is more precise. */
const literals = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  if (!AST.isUnion(ast)) return [ast]
  const own = ast.types.filter((type) => !AST.isUndefinedKeyword(type) && !isComputed(type))
  return own.length === ast.types.length ? [ast] : own.flatMap(literals)
}

const typeOf = (ast: AST.AST): string => literals(ast).map(expectation).join(" or ")

/** The description of a field, if it is a sentence. Other descriptions are phrases for its type. */
export const aboutOf = (annotated: ReadonlyArray<AST.Annotated>): string | undefined =>
  annotated.flatMap((each) => Option.toArray(AST.getDescriptionAnnotation(each))).find((text) => /[.]$/.test(text))

/** A node of a schema, its union members, and their encoded sides. */
export const layers = (ast: AST.AST): ReadonlyArray<AST.AST> => [
  ast,
  ...(AST.isUnion(ast) ? ast.types.flatMap(layers) : []),
  ...(AST.isRefinement(ast) || AST.isTransformation(ast) ? layers(ast.from) : [])
]

const isJson = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== "object" || value === null) return ["string", "number", "boolean"].includes(typeof value)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson)
}

/** Defaults that decoding adds to a struct. */
export const filledIn = (ast: AST.AST): Readonly<Record<string, unknown>> => {
  if (AST.isRefinement(ast)) return filledIn(ast.from)
  if (!AST.isTransformation(ast) || ast.transformation._tag !== "TypeLiteralTransformation") return {}
  return Object.fromEntries(
    ast.transformation.propertySignatureTransformations.flatMap(({ decode, from }) => {
      const value = decode(Option.none())
      return Option.isSome(value) && isJson(value.value) ? [[String(from), value.value]] : []
    })
  )
}

/** The object with known keys in a field, if there is exactly one. */
const nested = (ast: AST.AST): AST.AST | undefined => {
  const found = literals(ast)
    .flatMap(flatten)
    .filter((type) => knownKeys(written(type)).length > 0)
  return found.length === 1 ? found[0] : undefined
}

/** The types of values under keys that users choose. */
const ofAnyName = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  literals(ast)
    .flatMap(flatten)
    .map(written)
    .flatMap((type) => (AST.isTypeLiteral(type) ? type.indexSignatures.map((index) => index.type) : []))

/** Order of fields: the URL first, then other required keys. */
const rankOf = ({ isOptional, name }: AST.PropertySignature): number => (name === "url" ? 0 : isOptional ? 2 : 1)

/** The fields of an object, most important first, each followed by its inner fields. */
const fieldsIn = (ast: AST.AST, prefix = ""): ReadonlyArray<Field> => {
  const inner = written(ast)
  if (!AST.isTypeLiteral(inner)) return itemsIn(inner, prefix)
  const defaults = filledIn(ast)
  const signatures = inner.propertySignatures.toSorted((a, b) => rankOf(a) - rankOf(b))
  return signatures.flatMap((signature): ReadonlyArray<Field> => {
    const { isOptional, type } = signature
    const name = `${prefix}${String(signature.name)}`
    const all = layers(type)
    const annotated = all.flatMap((each) => Option.toArray(AST.getDefaultAnnotation(each)))
    const fallback = defaults[String(signature.name)] ?? annotated[0]
    const below = nested(type)
    return [
      {
        name,
        required: !isOptional,
        type: below !== undefined && /^an object like /.test(typeOf(type)) ? "an object" : typeOf(type),
        form: formOf(type),
        ...(fallback === undefined ? {} : { default: fallback }),
        about: aboutOf([signature, ...all])
      },
      ...(below === undefined ? [] : fieldsIn(below, `${name}.`)),
      ...literals(type).flatMap((each) => itemsIn(each, `${name}[].`)),
      ...ofAnyName(type).flatMap((each) => fieldsIn(each, `${name}.NAME.`))
    ]
  })
}

/** The fields of the objects in an array. */
const itemsIn = (ast: AST.AST, prefix: string): ReadonlyArray<Field> => {
  const inner = written(ast)
  const below = AST.isTupleType(inner) ? nested(AST.Union.make(inner.rest.map(({ type }) => type))) : undefined
  return below === undefined ? [] : fieldsIn(below, prefix)
}

/** The fields of a schema. */
export const fieldsOf = (ast: AST.AST): ReadonlyArray<Field> => fieldsIn(withKeyDescriptions(ast))

const shapesIn = (ast: AST.AST): ReadonlyArray<Shape> => {
  const forms = formOf(ast) === "literal or expression" ? [ast] : flatten(ast)
  return forms.flatMap((each) =>
    AST.isUnion(each) && each !== ast && formOf(each) === "literal"
      ? shapesIn(each)
      : [{ type: typeOf(each), form: formOf(each), fields: fieldsIn(each) }]
  )
}

/** The forms of a value. */
export const shapesOf = (ast: AST.AST): ReadonlyArray<Shape> => shapesIn(withKeyDescriptions(ast))

/** A step or a sink. */
export interface Entry {
  readonly key: string
  readonly kind: "step" | "sink"
  readonly summary: string
  /** Number of rows in and out: `1 → 1`. */
  readonly rows: string
  /** The forms in which the step or sink can be written. */
  readonly shapes: ReadonlyArray<Shape>
  /** Common keys that have an effect on the step. */
  readonly commonKeys: ReadonlyArray<string>
  /** Consequence of a failure of the step or sink. */
  readonly failures: string
  readonly example: string
  /** Path of the field with headers, in which secrets are allowed. */
  readonly headers?: ReadonlyArray<string> | undefined
  /** Field with credentials, in which secrets are allowed too. */
  readonly credentials?: string | undefined
}

export interface Reference {
  readonly steps: ReadonlyArray<Entry>
  readonly sinks: ReadonlyArray<Entry>
  readonly commonKeys: ReadonlyArray<Field>
  readonly frame: ReadonlyArray<Field>
  /** The keys of a test file, and those of a single test. */
  readonly testFile: ReadonlyArray<Field>
  readonly testCase: ReadonlyArray<Field>
  /** Names allowed in `${{ }}`, and names that an expression over a row can use besides the row's fields. */
  readonly names: { readonly settled: ReadonlyArray<string>; readonly row: ReadonlyArray<string> }
  readonly functions: ReadonlyArray<FunctionEntry & { readonly group: string }>
}

type Kind = Step.Any["behaviour"]["kind"]

const rows: Readonly<Record<Kind, string>> = {
  source: "0 → n, or n → n with `each: true`",
  item: "1 → 1",
  transform: "n → n",
  sink: "n → n",
  value: "a value for ${{ steps.ID.output }}; the step reads no rows"
}

const rejects =
  "`onError`: reject (the default) writes it to the reject file with step, place, reason and the row; keep passes the row on unchanged; drop leaves it out; fail ends the run."

const failures: Readonly<Record<Kind, string>> = {
  source: `A call that fails, after its \`retry\`, ends the run; with \`each: true\` only its row fails. A single page, file or row that fails is handled by ${rejects}`,
  item: `A row that fails, after its \`retry\`, is handled by ${rejects}`,
  transform: `A row that fails is handled by ${rejects}`,
  sink: `A row that fails is handled by ${rejects}`,
  value: "When it fails, after its `retry`, the run ends."
}

const entryOf = (step: Step.Any): Entry => {
  const { behaviour, config, credentials, example, headers, key, summary } = step
  const idle = ignoredKeys(behaviour)
  return {
    key,
    kind: "step",
    summary,
    rows: rows[behaviour.kind],
    shapes: shapesOf(config.ast),
    commonKeys: Object.keys(commonFields).filter((each) => !idle.includes(each)),
    failures: failures[behaviour.kind],
    example,
    headers,
    ...(credentials === undefined ? {} : { credentials })
  }
}

/** The whole reference, from the schemas that `check` decodes with. */
export const reference = (steps: Steps = builtIn): Reference => {
  const entries = steps.map(entryOf)
  const write = entries.find(({ key }) => key === "write")
  return {
    steps: entries,
    sinks: steps
      .flatMap(({ behaviour }) => (behaviour.kind === "sink" ? (behaviour.sinks ?? []) : []))
      .map(({ config, example, key, summary }) => ({
        key,
        kind: "sink",
        summary,
        rows: "1 → 1",
        shapes: shapesOf(config.ast),
        commonKeys: write?.commonKeys ?? [],
        failures: `A row that cannot be written is handled by ${rejects}`,
        example
      })),
    commonKeys: fieldsOf(Common.ast),
    frame: fieldsOf(Frame.ast),
    testFile: fieldsOf(TestFrame.ast).filter(({ name }) => !name.startsWith("tests[]")),
    testCase: fieldsOf(TestCase.ast),
    names: {
      settled: ["inputs.NAME", "env.NAME", ...runNames.map((name) => `run.${name}`), "steps.ID.output"],
      row: rowNames.map((name) =>
        name === "inputs" ? "$inputs.NAME" : name === "steps" ? "$steps.ID.output" : `$${name}`
      )
    },
    functions: catalogue
  }
}
