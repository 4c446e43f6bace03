/** Fields of `request`. */
import * as Schema from "effect/Schema"
import { PageUrl } from "../../Api/Field.ts"
import { fields as scrapeFields } from "../../Api/ScrapeOptions.ts"
import { Rate } from "../../Row/Amount.ts"
import { perRow } from "../Field.ts"
import { without } from "../Login.ts"
import { Character } from "../Read/Csv.ts"
import { AnswerExpression } from "./AnswerExpression.ts"
import { Auth } from "./Auth.ts"
import { bodyPaths, pathProblem } from "./BodyPath.ts"
import { formats } from "./Decode.ts"
import { Next } from "./Next.ts"
import { Since } from "./Since.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null).annotations({
  description: "a string, a number, true, false or null"
})
const QueryValue = Schema.Union(Scalar, Schema.Array(Scalar)).annotations({
  description: "a string, a number, true, false, null, or an array of them"
})
const Parameters = Schema.Record({ key: Schema.String, value: perRow(QueryValue) })
const Json = Schema.Record({
  key: Schema.String,
  value: perRow(Schema.Unknown.annotations({ description: "any JSON" }))
})

const Config = Schema.Struct({
  url: Schema.propertySignature(perRow(PageUrl)).annotations({ description: "Address of the API." }),
  method: Schema.optional(Schema.Literal("GET", "POST", "PUT", "PATCH", "DELETE")).annotations({
    description: "Method of the request; POST with a body, GET without one by default."
  }),
  headers: scrapeFields.headers.annotations({
    description: "Headers of each request. They are sent to the origin of `url` only."
  }),
  query: Schema.optional(Parameters).annotations({
    description:
      "Parameters of the query, each a value or { expr: … }. An array gives the parameter several times; null leaves it out."
  }),
  json: Schema.optional(Json).annotations({
    description: "Sent as a JSON object; each field is a value or { expr: … }."
  }),
  form: Schema.optional(Parameters).annotations({
    description: "Sent as a form (application/x-www-form-urlencoded); each field is a value or { expr: … }."
  }),
  body: Schema.optional(perRow(Schema.String)).annotations({
    description: "Sent as it is, a string or { expr: … }; its type is the header Content-Type, text/plain by default."
  }),
  graphql: Schema.optional(
    Schema.Struct({
      query: Schema.propertySignature(Schema.NonEmptyString).annotations({ description: "The query." }),
      variables: Schema.optional(Json).annotations({
        description: "Variables of the query; each is a value or { expr: … }."
      })
    })
  ).annotations({
    description:
      "Sent as a GraphQL query. An answer with `errors` and without rows is a failure; if it has rows, the step warns."
  }),
  auth: Schema.optional(Auth).annotations({
    description: "Credentials of the request. They are sent to the origin of `url` only, and never shown."
  }),
  format: Schema.optional(Schema.Literal(...formats)).annotations({
    description: "Format of the answers; by default what their Content-Type says."
  }),
  delimiter: Schema.optional(Character.annotations({ description: "one ASCII character" })).annotations({
    description: "CSV: character between cells; a comma by default, and a tab if the Content-Type says so."
  }),
  rows: Schema.optional(AnswerExpression).annotations({
    description:
      "Rows of an answer, as an expression over the answer: an array gives a row for each of its objects, an object gives one row. Without `rows`, the answer itself is used in this way. Filter rows with `where` if `next` counts pages or an offset. Attributes of XML are fields like `@id`."
  }),
  next: Schema.optional(Next).annotations({
    description: "How the next page is found; without `next`, only one page is read."
  }),
  since: Schema.optional(Since).annotations({
    description:
      "Asks only for what is new since the last run: the largest value of a field is kept under the pipeline's state key. `sluice state` shows and sets it as the entry `since`."
  }),
  skipUnchanged: Schema.optional(Schema.Boolean).annotations({
    description:
      "Gives no rows when the API says that its answer has not changed since the last run (`ETag`, `Last-Modified`). Only for answers of one page."
  }),
  rate: Schema.optional(Rate).annotations({
    description: "Maximum number of calls that start in a period, such as 5/s."
  }),
  timeout: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 3_600_000)), { default: () => 60_000 }).annotations({
    description: "Maximum time for one answer to arrive in full, in milliseconds."
  }),
  login: without
})
export type Config = typeof Config.Type

const bodies = ["json", "form", "body", "graphql"] as const

export const RequestConfig = Config.pipe(
  Schema.filter((config) => {
    const [first, second] = bodies.filter((name) => config[name] !== undefined)
    if (second !== undefined) return { path: [second], message: `a request has one body: give ${first} or ${second}` }
    if (first !== undefined && config.method === "GET")
      return { path: ["method"], message: `GET sends no body: leave method out, or ${first}` }
    const inBody = Object.entries(config.next ?? {}).find(
      ([, way]) => typeof way === "object" && way !== null && "body" in way
    )?.[0]
    if (config.since?.body !== undefined && config.json === undefined && config.graphql === undefined) {
      return {
        path: ["since", "body"],
        message:
          "the request has no JSON body to put the value into: give json or graphql, or use param in place of body"
      }
    }
    if (inBody !== undefined && config.json === undefined && config.graphql === undefined) {
      return {
        path: ["next", inBody, "body"],
        message:
          "the request has no JSON body to put the value into: give json or graphql, or use param in place of body"
      }
    }
    const literals = Object.fromEntries(
      Object.entries(config.graphql?.variables ?? config.json ?? {}).map(([name, { literal }]) => [name, literal])
    )
    const written = config.graphql === undefined ? literals : { query: config.graphql.query, variables: literals }
    for (const { field, path } of bodyPaths(config)) {
      const problem = pathProblem(written, path)
      if (problem !== undefined) return { path: [...field], message: problem }
    }
    if (config.skipUnchanged === true && config.next !== undefined) {
      return {
        path: ["skipUnchanged"],
        message:
          "an unchanged page does not show whether the following pages have changed: leave out next or skipUnchanged"
      }
    }
    if (config.skipUnchanged === true && config.since !== undefined) {
      return {
        path: ["skipUnchanged"],
        message: "`since` already asks only for what is new, so `skipUnchanged` adds nothing: remove one of the two"
      }
    }
    const { delimiter, format = "csv" } = config
    if (delimiter !== undefined && format !== "csv")
      return { path: ["delimiter"], message: `delimiter is only for the format csv, and format is ${format}` }
    if (delimiter === '"') return { path: ["delimiter"], message: 'cells are quoted with ": choose another character' }
    const counted = (["page", "offset"] as const).find((name) => config.next?.[name] !== undefined)
    if (counted !== undefined && config.rows?.leavesOut() === true) {
      return {
        path: ["rows"],
        message: `next.${counted} ends at a page without rows, and this condition leaves rows out: read all of them, and put the condition into a step \`where\``
      }
    }
    const here = config.url.literal
    if (here !== undefined && /^\w+:\/\/[^/?#]*@/.test(here)) {
      return {
        path: ["url"],
        message: "an address must not contain a password: write auth: { basic: { user, password } }"
      }
    }
    return true
  })
)
