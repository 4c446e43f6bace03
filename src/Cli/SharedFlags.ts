/** Flags that several verbs share, each declared once. */
import { choice, integer, pairs, text, texts, toggle, type Values, withDefault } from "./Parameter.ts"

/** Data folder; `what` says what the verb looks for in it. */
export const data = (what: string) => text("DIR", `Folder of ${what}; default: .sluice, or SLUICE_DATA.`)

export const profile = text(
  "NAME",
  "Settings from config/NAME.yaml or from a path; environment variables take precedence."
)

export const input = pairs("NAME=VALUE", "Sets an input of the pipeline. May be repeated.", "i")

export const out = text("DIR", "Folder for relative output paths; default: the current one.", "o")

export const quiet = toggle("Prints errors only.", "q")

export const onCluster = choice(
  "WHERE",
  ["here", "cluster"],
  "cluster: submits runs to the workers that share SLUICE_DATABASE_URL and the output folder; default: here."
)

export const allowCode = toggle(
  "Lets `use` and `extensions` run code of the project, and loads definitions in code from outside it. Code can do everything that you can."
)

/** Permissions beyond those of the project's own definitions; read by `Trust.ts`. */
export const trust = {
  "allow-env": texts(
    "NAME",
    "Lets definitions from outside the project read this environment variable, as env or secrets. May be repeated."
  ),
  "allow-path": texts("DIR", "Lets definitions read files in this folder outside the project. May be repeated.")
}

/** The same permissions as command-line arguments. */
export const trustArguments = (given: Values<typeof trust>): ReadonlyArray<string> => [
  ...given["allow-env"].flatMap((name) => ["--allow-env", name]),
  ...given["allow-path"].flatMap((folder) => ["--allow-path", folder])
]

export const runAsJson = toggle("Prints one JSON object about the run on stdout.")

/** Flags of the verbs that continue a run of the ledger to its end. */
export const forKnownRun = {
  data: data("the engine's store, the ledger and rejects"),
  profile,
  "allow-code": allowCode,
  ...trust,
  json: runAsJson,
  quiet
}

export const enginePort = 4711
export const dashboardPort = 4712

/** Port to listen on; `what` begins its description. */
export const port = (what: string, usual: number) =>
  withDefault(integer("N", `${what}; 0 picks a free one; default: ${usual}.`, { minimum: 0, maximum: 65_535 }), usual)

export const host = text("HOST", "Address to listen on; default: 127.0.0.1, this machine only.")
