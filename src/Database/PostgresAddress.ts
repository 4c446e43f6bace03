/** URLs of Postgres databases: without the password for messages, and complete for the driver. */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { canParse } from "../Api/Url.ts"

/** The URL or its schema is invalid. */
export class AddressInvalid extends Data.TaggedError("AddressInvalid")<{ readonly message: string }> {}

export interface Address {
  /** Text for messages, like `postgres://me@host/base, schema sluice`. */
  readonly place: string
  /** Schema of all tables. */
  readonly schema: string
  /** URL for the driver, with the settings of the session. */
  readonly url: Redacted.Redacted
}

/** Timeouts of a session, in milliseconds. */
export interface Timeouts {
  /** Timeout for a row locked by another transaction. */
  readonly lock: number
  /** Timeout for one statement. */
  readonly statement: number
  /** Timeout for an idle transaction: its process may have been stopped while others wait for its rows. */
  readonly idle: number
}

/** User and password before the last `@`, host, and database. */
const parts = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^@/?]*)(?:\/([^@/?]*))?$/s

const schemas = /^[a-z_][a-z0-9_]{0,62}$/

const wrong = (message: string) => Either.left(new AddressInvalid({ message }))

/** Parses `postgres://user:password@host:port/database?schema=name`. */
export const parse = (given: Redacted.Redacted) => {
  const [base = "", ...rest] = Redacted.value(given).trim().split("?")
  const found = parts.exec(base)
  if (found === null) {
    return wrong("it is not an address of a Postgres database; expected postgres://user:password@host:5432/database")
  }
  const [, who, host = "", database = ""] = found
  // In the user or the password, such a character would make the driver take what follows for the host, and show the password in its error.
  if (/[@/#\s]/.test(who ?? "") || !canParse(base.replace("@/", "@localhost/"))) {
    return wrong(
      "its user, password, host or port has characters that must be escaped: write @ as %40, / as %2F, ? as %3F"
    )
  }
  const query = new URLSearchParams(rest.join("?"))
  const schema = query.get("schema") ?? "sluice"
  if (!schemas.test(schema)) {
    return wrong(`the schema "${schema}" is not a plain name: use at most 63 lower-case letters, digits and _`)
  }
  return Either.right({ base, who, host, database, query, schema })
}

/** Parses a URL and adds the session's timeouts. All parameters except `schema` go to the driver. */
export const read = (
  given: Redacted.Redacted,
  { idle, lock, statement }: Timeouts
): Either.Either<Address, AddressInvalid> =>
  Either.map(parse(given), ({ base, database, host, query, schema, who }) => {
    const options = [
      query.get("options") ?? "",
      `-c search_path=${schema}`,
      `-c lock_timeout=${lock}`,
      `-c statement_timeout=${statement}`,
      `-c idle_in_transaction_session_timeout=${idle}`
    ]
    query.delete("schema")
    query.set("options", options.join(" ").trim())
    const user = who === undefined ? "" : `${who.split(":")[0]}@`
    const socket = query.get("host")
    const place = `postgres://${user}${host === "" ? (socket ?? "localhost") : host}/${database}, schema ${schema}`
    return { place, schema, url: Redacted.make(`${base}?${query}`) }
  })
