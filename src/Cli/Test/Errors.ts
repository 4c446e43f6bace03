/** How `sluice test` ends when not all is well. */
import * as Data from "effect/Data"
import { count } from "../Words.ts"

/** Tests failed; why has been printed. Exit code 6. */
export class TestsFailed extends Data.TaggedError("TestsFailed")<{
  readonly failed: number
  readonly all: number
}> {
  override get message() {
    return `${this.failed} of ${count(this.all, "test")} failed`
  }
}

/** No test has the text in its name. */
export class NoSuchTest extends Data.TaggedError("NoSuchTest")<{
  readonly filter: string
  readonly names: ReadonlyArray<string>
}> {
  override get message() {
    const { filter, names } = this
    const more = names.length > 5 ? `, and ${names.length - 5} more` : ""
    return `no test has "${filter}" in its name: there are ${names.slice(0, 5).join("; ")}${more}`
  }
}
