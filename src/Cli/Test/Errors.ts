/** How `sluice test` ends when not all is well. */
import * as Data from "effect/Data"
import { ExitCode } from "../../TypedError/ExitCode.ts"
import { count } from "../Words.ts"

/** Tests failed; why has been printed. */
export class TestsFailed extends Data.TaggedError("TestsFailed")<{
  readonly failed: number
  readonly all: number
}> {
  readonly exitCode = ExitCode.checkFailed
  override get message() {
    return `${this.failed} of ${count(this.all, "test")} failed`
  }
}

/** No test has the text in its name. */
export class NoSuchTest extends Data.TaggedError("NoSuchTest")<{
  readonly filter: string
  readonly names: ReadonlyArray<string>
}> {
  readonly exitCode = ExitCode.usage
  override get message() {
    const { filter, names } = this
    const more = names.length > 5 ? `, and ${names.length - 5} more` : ""
    return `no test has "${filter}" in its name: there are ${names.slice(0, 5).join("; ")}${more}`
  }
}
