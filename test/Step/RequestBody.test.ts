/** Values that `since` and `next` of `request` put into the JSON body. */
import type { Asked } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { project, stepLine } from "../Project.ts"
import { ask } from "./OneApi.ts"

const sent = ({ body }: Asked): unknown => JSON.parse(body)

scoped.each(["url", "link"])("sends since.body with each page whose address next.%s gives", function* (way) {
  const { received } = yield* ask(
    ({ path }, base) => {
      const more = path.includes("2") ? undefined : `${base}/items?page=2`
      return { body: { items: [{ id: 1 }], next: more ?? null }, headers: more ? { link: `<${more}>; rel=next` } : {} }
    },
    {
      fields: {
        json: { a: 1 },
        rows: "items",
        since: { body: "from", field: "id", start: 5 },
        next: { [way]: "next" }
      }
    }
  )
  expect(received.map(sent)).toEqual([
    { a: 1, from: 5 },
    { a: 1, from: 5 }
  ])
})

const filterGroups = [{ filters: [{ name: "at", value: null }, { name: "b" }] }]
const since = (body: string) => ({ body, field: "id", start: 5 })

scoped("puts a value into an array of the body, and keeps the rest of it", function* () {
  const { received } = yield* ask(() => ({ body: [] }), {
    fields: { json: { filterGroups, a: 1 }, since: since("filterGroups.0.filters.0.value") }
  })
  expect(received.map(sent)).toEqual([{ filterGroups: [{ filters: [{ name: "at", value: 5 }, { name: "b" }] }], a: 1 }])
  const variables = yield* ask(() => ({ body: { data: [] } }), {
    fields: { graphql: { query: "{ a }", variables: { in: [{ b: 1 }] } }, rows: "data", since: since("in.0.b") }
  })
  expect(variables.received.map(sent)).toEqual([{ query: "{ a }", variables: { in: [{ b: 5 }] } }])
})

scoped("refuses a path through an array or a value, as written and as an expression gives it", function* () {
  const { errorsIn } = yield* project({ sharesLedger: true })
  const errorsOf = (body: string, fields: object = { json: { filterGroups, text: "a", none: null } }) =>
    errorsIn(stepLine("request", { url: "https://api.example/items", ...fields, since: since(body) }))
  expect((yield* errorsOf("filterGroups.filters.value")).join()).toContain(
    "filterGroups is an array of 1, and filters is none of its indexes: give an index from 0, like filterGroups.0"
  )
  expect((yield* errorsOf("filterGroups.1")).join()).toContain("1 is none of its indexes")
  expect((yield* errorsOf("text.value")).join()).toContain("text is a string, so it has no value")
  const graphql = { graphql: { query: "{ a }", variables: { in: [1] } } }
  expect((yield* errorsOf("in.a", graphql)).join()).toContain("variables.in is an array of 1")
  for (const body of ["text", "none.value", "new.value", "filterGroups.0.new"])
    expect(yield* errorsOf(body)).toEqual([])
  const page = { page: { body: "text.value" } }
  const next = { url: "https://api.example/items", json: { text: "a" }, next: page }
  expect((yield* errorsIn(stepLine("request", next))).join()).toContain("text is a string")
  const { asked, failure } = yield* ask(() => ({ body: [] }), {
    fields: { json: { list: { expr: "[1]" } }, next: { page: { body: "list.page" } } }
  })
  expect(asked).toEqual([])
  expect(failure?.message).toContain("next.page.body cannot be sent, because list is an array of 1")
})
