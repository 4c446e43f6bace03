/** The address of a Postgres database: what it says to a person without its password, and what it says to the driver. */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { canParse } from "../Api/Url.ts"

/** It is no address of a database, or names a schema that is none. */
export class AddressInvalid extends Data.TaggedError("AddressInvalid")<{ readonly message: string }> {}

export interface Address {
  /** `postgres://me@host/base, schema sluice`: fit for messages. */
  readonly place: string
  /** All tables are in it. */
  readonly schema: string
  /** For the driver, with everything that a session is to be set to. */
  readonly url: Redacted.Redacted
}

/** Milliseconds. */
export interface Patience {
  /** For a row that another transaction holds. */
  readonly lock: number
  /** For one statement. */
  readonly statement: number
  /** For a process that is silent within a transaction: it may have been stopped, and others wait for its rows. */
  readonly silence: number
}

/** Who is in front of the last `@`, where, and which database. */
const parts = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^@/?]*)(?:\/([^@/?]*))?$/s

const schemas = /^[a-z_][a-z0-9_]{0,62}$/

const wrong = (message: string) => Either.left(new AddressInvalid({ message }))

/** Takes `postgres://user:password@host:port/database?schema=name` apart. */
export const parse = (given: Redacted.Redacted) => {
  const [base = "", ...rest] = Redacted.value(given).trim().split("?")
  const found = parts.exec(base)
  if (found === null) {
    return wrong("it is no address of a Postgres database; expected postgres://user:password@host:5432/database")
  }
  const [, who, host = "", database = ""] = found
  // The driver would take what is behind such a sign for another host, and show the password when it finds none.
  if (/[@/#\s]/.test(who ?? "") || !canParse(base.replace("@/", "@localhost/"))) {
    return wrong(
      "its user, password, host or port is not written as in an address; in them @ is %40, / is %2F, ? is %3F"
    )
  }
  const query = new URLSearchParams(rest.join("?"))
  const schema = query.get("schema") ?? "sluice"
  if (!schemas.test(schema)) {
    return wrong(`the schema "${schema}" is no plain name: small letters, digits and _, at most 63 of them`)
  }
  return Either.right({ base, who, host, database, query, schema })
}

/** What {@link parse} finds, as a session is opened with it; every parameter but the schema is the driver's. */
export const read = (
  given: Redacted.Redacted,
  { lock, silence, statement }: Patience
): Either.Either<Address, AddressInvalid> =>
  Either.map(parse(given), ({ base, database, host, query, schema, who }) => {
    const options = [
      query.get("options") ?? "",
      `-c search_path=${schema}`,
      `-c lock_timeout=${lock}`,
      `-c statement_timeout=${statement}`,
      `-c idle_in_transaction_session_timeout=${silence}`
    ]
    query.delete("schema")
    query.set("options", options.join(" ").trim())
    // A connection whose other end has vanished is given up, a little later than the other end would have given up.
    query.set("query_timeout", String(statement + 10_000))
    const user = who === undefined ? "" : `${who.split(":")[0]}@`
    const socket = query.get("host")
    const place = `postgres://${user}${host === "" ? (socket ?? "localhost") : host}/${database}, schema ${schema}`
    return { place, schema, url: Redacted.make(`${base}?${query}`) }
  })
