/** `sluice run`: a pipeline from its definition to its outputs. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition: YAML, JSON or TypeScript."),
  input: Parameter.pairs("NAME=VALUE", "Gives an input of the pipeline; as often as needed.", "i"),
  limit: Parameter.integer(
    "N",
    "A trial: takes at most N rows from each source, and leaves state and outputs of real runs alone.",
    {
      minimum: 1
    }
  ),
  out: Parameter.text(
    "DIR",
    "Folder that relative output paths are under; default: the current one, with --limit a new one below .sluice/trial.",
    "o"
  ),
  data: Parameter.text(
    "DIR",
    "Folder of the engine's store, the ledger and rejects; default: .sluice, or SLUICE_DATA."
  ),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  backfill: Parameter.toggle("Takes everything as new, and leaves the state across runs as it is."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust,
  on: Parameter.choice(
    "WHERE",
    ["here", "cluster"],
    "cluster: hands the run to the workers that share SLUICE_DATABASE_URL and the output folder; default: here."
  ),
  detach: Parameter.toggle("With --on cluster: leaves when the run is handed in, without waiting for its end."),
  "shard-rows": Parameter.integer("N", "With --on cluster: rows of the source in each shard at most; default: 200.", {
    minimum: 1
  }),
  json: Parameter.toggle("Prints one JSON object about the run on stdout."),
  quiet: Parameter.toggle("Says nothing but why it failed.", "q")
}

export type RunParameters = Parameter.Values<typeof parameters>

export const run = Verb.make({
  name: "run",
  summary: "Runs a pipeline and says where its outputs are.",
  details:
    "Without SLUICE_BASE_URL the local engine answers: it starts with the run and stops with it. With SLUICE_BASE_URL and SLUICE_API_KEY the same pipeline runs on that service. Ctrl-C stops the run, keeps what is done, and says how it goes on.",
  parameters,
  examples: [
    { line: "sluice run pipelines/quickstart.yaml", what: "everything once, on its own sample site" },
    {
      line: 'sluice run pipelines/search-to-csv.yaml -i query="effect typescript" --out results',
      what: "with an input"
    },
    { line: "sluice run crawl.yaml --limit 5 --json", what: "a first look at five rows, for a script" },
    { line: "sluice run crawl.yaml --quiet | jq .url", what: 'rows to a program, by write: { jsonl: "-" }' },
    { line: "sluice run crawl.yaml --on cluster --out /shared/docs", what: "on all machines that run sluice worker" }
  ],
  load: () => import("./Run/Program.ts")
})
