/** `sluice test`: a pipeline's own tests, without a network. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

/** Operands that may be left out altogether. */
const files: Parameter.Parameter<ReadonlyArray<string>> = {
  kind: "operand",
  value: "FILE",
  description:
    "A test file (NAME.test.yaml), a definition that has one beside it, or a folder; default: pipelines, else the current folder.",
  many: true,
  read: (given) => ({ value: given })
}

const parameters = {
  files,
  filter: Parameter.text("TEXT", "Only the tests that have it in their name, or in that of their pipeline.", "f"),
  record: Parameter.toggle("Asks the real service, or the local engine, and writes the recordings anew."),
  update: Parameter.toggle("Writes the rows and files that came into `equals`, in place of those expected."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust,
  reporter: Parameter.choice("NAME", ["pretty", "tap", "junit"], "How to tell: pretty (the default), tap or junit."),
  output: Parameter.text("FILE", "Writes the report of --reporter into a file, and the pretty one to stdout."),
  json: Parameter.toggle("Prints one JSON object with every result on stdout."),
  data: Parameter.text("DIR", "With --record: folder of the engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "With --record: settings from config/NAME.yaml or a path.")
}

export type TestParameters = Parameter.Values<typeof parameters>

export const test = Verb.make({
  name: "test",
  summary: "Runs a pipeline's own tests, with recorded answers or rows in, expected rows out; no network, no credits.",
  details:
    "A test file says what each test gives (inputs, a recording, rows of a step) and expects (rows by step, outputs, rejects). Nothing is sent anywhere but with --record. Clock and random numbers stand still, outputs go to a folder that is removed, and no state is advanced. Secrets are not needed, and no recording holds one. Exit code 6 when a test fails, 78 when a test file is invalid.",
  parameters,
  examples: [
    { line: "sluice test pipelines", what: "every test of a folder" },
    { line: "sluice test pipelines/search-to-csv.yaml --record", what: "with the service's answers of today" },
    { line: "sluice test --reporter junit --output tests.xml", what: "for a build" }
  ],
  load: () => import("./Test/Program.ts")
})
