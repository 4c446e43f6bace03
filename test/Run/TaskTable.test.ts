import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"
import { SavedTask, type Task, TaskMarks, taskJson, taskOf } from "../../src/Run/TaskTable.ts"
import { ordinal } from "../../src/Step/SavedState.ts"

const row = (name: string) => ({ data: { name } })

/** The task as a resumed run finds it. */
const restored = (task: Task, marks: TaskMarks): Task =>
  taskOf(task.key, undefined, marks, Schema.decodeUnknownSync(SavedTask)(taskJson(task)))

/** Events of a pool whose tasks have equal rows. */
const event = FastCheck.oneof(
  FastCheck.record({ does: FastCheck.constant("comes" as const), name: FastCheck.constantFrom("a", "b") }),
  FastCheck.record({ does: FastCheck.constant("goes" as const), which: FastCheck.nat(4) }),
  FastCheck.constant({ does: "checkpoint" as const }),
  FastCheck.constant({ does: "crash" as const })
)

describe("the tasks of a pool", () => {
  it("have unique keys, also while the answers of a finished task are held", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(event, { maxLength: 60, size: "max" }), (events) => {
        let marks = new TaskMarks()
        let next = 0
        let here: Array<Task> = []
        let left: Array<Task> = []
        let kept: Array<Task> = []
        for (const each of events) {
          if (each.does === "comes") here.push(taskOf(ordinal(next++), row(each.name), marks))
          else if (each.does === "checkpoint") {
            marks.saved()
            left = []
            kept = [...here]
          } else if (each.does === "crash") {
            marks = new TaskMarks()
            here = kept.map((task) => restored(task, marks))
            left = []
          } else {
            const task = here[each.which]
            if (task === undefined) continue
            here = here.filter((other) => other !== task)
            left.push(task)
            marks.leave(task)
          }
          const held = [...here, ...left].map(({ mark }) => mark)
          expect(new Set(held).size).toBe(held.length)
        }
      })
    )
  })

  it("get the same keys again after a crash", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(event, { maxLength: 60, size: "max" }), (events) => {
        const marks = new TaskMarks()
        let here: Array<Task> = []
        let kept: ReadonlyArray<Task> = []
        let since: Array<Task> = []
        for (const each of events) {
          if (each.does === "comes") {
            const task = taskOf(ordinal(here.length), row(each.name), marks)
            here.push(task)
            since.push(task)
          } else if (each.does === "goes") {
            const task = here[each.which]
            if (task === undefined) continue
            here = here.filter((other) => other !== task)
            marks.leave(task)
          } else if (each.does === "checkpoint") {
            marks.saved()
            kept = [...here]
            since = []
          }
          const others = new TaskMarks()
          for (const task of kept) restored(task, others)
          const again = since.map((task) => taskOf(task.key, task.row, others))
          expect(again.map(({ mark }) => mark)).toEqual(since.map(({ mark }) => mark))
        }
      })
    )
  })

  it("have the same key, row and position again after a crash", () => {
    const marks = new TaskMarks()
    taskOf(ordinal(0), row("a"), marks)
    const task = { ...taskOf(ordinal(1), row("a"), marks), cursor: 7 }
    const again = restored(task, new TaskMarks())
    expect(again).toMatchObject({ mark: task.mark, row: row("a"), cursor: 7, isPersisted: true })
  })
})
