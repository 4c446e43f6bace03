/** `sluice worker`: a machine that takes parts of runs. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const actions = ["list", "drain"] as const

const parameters = {
  action: Parameter.optional("ACTION", `${actions.join(" or ")}: shows all workers, or tells one to go.`, actions),
  id: Parameter.optional("ID", "With drain: a worker's id, or the name of its machine."),
  concurrency: Parameter.withDefault(
    Parameter.integer("N", "Parts of runs at once; default: 4.", { minimum: 1, maximum: 256 }),
    4
  ),
  host: Parameter.text("NAME", "The name of this machine, for people; default: its host name."),
  drain: Parameter.toggle("Goes by itself when nothing is left to take."),
  data: Parameter.text("DIR", "Folder of this worker's engine; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("With list: prints a list of JSON objects."),
  quiet: Parameter.toggle("Says nothing but what went wrong.", "q"),
  ...Parameter.trust
}

export type WorkerParameters = Parameter.Values<typeof parameters>

export const worker = Verb.make({
  name: "worker",
  summary: "Takes parts of runs that were handed in with run --on cluster, until it is stopped.",
  details:
    "All workers share the Postgres of SLUICE_DATABASE_URL and the output folders. They listen on no port. SIGTERM or Ctrl-C gives back what the worker holds, and another one goes on with it at once; a worker that is killed is replaced within 10 seconds.",
  parameters,
  examples: [
    { line: "sluice worker --concurrency 8", what: "on each machine" },
    { line: "sluice worker list", what: "who is there, and with how much" },
    { line: "sluice worker drain box-3", what: "that machine finishes what it has, and goes" }
  ],
  load: () => import("./Worker/Program.ts")
})
