/** The tool `publish`: publishes the outputs of a held run, once a person at the client has agreed. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Launch from "../Dashboard/Launch.ts"
import * as Runs from "../Dashboard/Runs.ts"
import { count } from "../Row/Count.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import { approval } from "./Session.ts"
import * as Tool from "./Tool.ts"
import { refuse } from "./Tool.ts"

export const publish = Tool.make({
  name: "publish",
  title: "Publish held outputs",
  description:
    "Publishes the outputs of a run that were held because they look broken. A person has to agree: at this client, or with `sluice publish`. `health` says why they are held.",
  changes: true,
  destructive: true,
  input: Schema.Struct({ run: Tool.RunId }),
  run: ({ run: id }) =>
    Effect.gen(function* () {
      yield* ProjectFiles.runOf(id)
      const { isHeld, outputs, pipeline, rows, state, verdicts } = yield* Runs.detail(id)
      if (!isHeld) return yield* refuse(`run ${id} is ${state}: only outputs of a held run can be published`)
      const answer = yield* approval([
        `Publish the outputs of run ${id} (${pipeline}, ${count(rows, "row")}, ${count(outputs.length, "file")})?`,
        `They are held because ${verdicts.filter(({ level }) => level === "broken").length} figures differ from the runs before: sluice show ${id} --health shows them.`
      ])
      if (answer === false) return yield* refuse(`a person refused to publish run ${id}`)
      if (answer === undefined) return yield* refuse(`a person publishes it with: sluice publish ${id}`)
      const { run } = yield* Launch.publish(id).pipe(
        // The output of the process may contain text from pages, so the answer does not quote it.
        Effect.catchTag("Refusal", () => refuse(`run ${id} could not be published: sluice publish ${id} says why`))
      )
      return { run, state: "publishing", next: "Call `status` with the run until it has ended." }
    })
})
