import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { read } from "../../../src/Engine/Model/AnswerSchema.ts"
import * as Model from "../../../src/Engine/Model/Model.ts"
import { equal, Owner, Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import { describe, expect, it } from "../../It.ts"
import { alone } from "../Alone.ts"
import { serve, withBody } from "../Scrape/Site.ts"
import { fakeModel } from "./FakeModel.ts"

const schema = Either.getOrThrow(
  read({ type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: false })
)

const key = "sk-very-secret-key"

const makeModel = (options: Model.ModelOptions) => Effect.provide(Model.make(options), alone)

const ask = (url: string, more: Partial<Model.Question> = {}) =>
  Effect.gen(function* () {
    const model = yield* makeModel({ url, name: "small", key: Redacted.make(key) })
    return yield* model.complete({ system: "Read.", user: "The page.", schema, deadline: 60_000, ...more })
  })

describe("Model", () => {
  it.scoped("asks for structured output and gives the answer as data", function* () {
    const { asked, url } = yield* fakeModel(() => `{"name":"Ardea"}`)
    expect(yield* ask(url)).toEqual({ name: "Ardea" })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${key}` },
      body: {
        model: "small",
        messages: [{ role: "system" }, { role: "user", content: "The page." }],
        response_format: { type: "json_schema", json_schema: { schema: schema.json } }
      }
    })
  })

  it.scoped("answers a team while another one has more questions than are asked at once", function* () {
    let held = 0
    const origin = yield* serve((request, response) =>
      withBody(request, (text) => {
        if (text.includes("hostile")) held += 1
        else response.end(JSON.stringify({ choices: [{ message: { content: `{"name":"Ardea"}` } }] }))
      })
    )
    const model = yield* Effect.provideService(Model.make({ url: `${origin}/v1`, name: "small" }), Teams, {
      teams: 2,
      weights: equal
    })
    const of = (team: string, user: string) =>
      Effect.provideService(model.complete({ system: "Read.", user, schema, deadline: 60_000 }), Owner, team)
    for (let n = 0; n < 40; n++) yield* Effect.fork(of("a", "hostile"))
    yield* Effect.repeat(
      Effect.promise(() => new Promise<void>((done) => setImmediate(done))),
      {
        until: () => held >= 6
      }
    )
    expect(yield* of("b", "innocent")).toEqual({ name: "Ardea" })
    expect(held).toBe(6)
  })

  it.scoped("puts the schema into the prompt alone where structured output is refused", function* () {
    const { asked, url } = yield* fakeModel(({ body }) =>
      body.response_format === undefined ? `{"name":"Ardea"}` : { status: 400, body: { error: "response_format?" } }
    )
    const model = yield* makeModel({ url, name: "small" })
    const question = { system: "Read.", user: "The page.", schema, deadline: 60_000 }
    for (let at = 0; at < 4; at++) expect(yield* model.complete(question)).toEqual({ name: "Ardea" })
    // After three refusals it is not tried again.
    expect(asked.filter(({ body }) => body.response_format !== undefined)).toHaveLength(3)
    expect(asked.at(-1)?.body.messages[0]?.content).toContain(JSON.stringify(schema.json))
    expect(asked[0]?.headers.authorization).toBeUndefined()
  })

  it.scoped("shows the endpoint the name and the password of its address where there is no key", function* () {
    const { asked, url } = yield* fakeModel(() => `{"name":"Ardea"}`)
    const open = url.replace("//", "//me:hush%20hush@")
    const model = yield* makeModel({ url: open, name: "small" })
    yield* model.complete({ system: "Read.", user: "The page.", schema, deadline: 60_000 })
    yield* ask(open)
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from("me:hush hush").toString("base64")}`,
      `Bearer ${key}`
    ])
  })

  it.scoped("tells the model once what is wrong with its answer", function* () {
    const { asked, url } = yield* fakeModel((_, count) => (count === 1 ? `{"name":5}` : `{"name":"Ardea"}`))
    expect(yield* ask(url)).toEqual({ name: "Ardea" })
    expect(asked[1]?.body.messages.slice(2)).toMatchObject([
      { role: "assistant", content: `{"name":5}` },
      { role: "user", content: expect.stringContaining("/name: Instance type") }
    ])
  })

  it.scoped("gives up on an answer that is wrong twice, and says how", function* () {
    const { asked, url } = yield* fakeModel(() => "I cannot help you with this.")
    const failure = yield* Effect.flip(ask(url))
    expect(failure).toMatchObject({ _tag: "Unprocessable", code: "MODEL_ANSWER_INVALID" })
    expect(failure.message).toContain("it is not JSON")
    expect(asked).toHaveLength(2)
  })

  it.scoped.each([
    ["in a fence", '```json\n{"name":"Ardea"}\n```'],
    ["after its thoughts", '<think>{"name":5}</think>{"name":"Ardea"}'],
    ["with words around it", 'Here it is: {"name":"Ardea"}. Anything else?']
  ] as const)("finds the answer %s", function* ([, content]) {
    const { url } = yield* fakeModel(() => content)
    expect(yield* ask(url)).toEqual({ name: "Ardea" })
  })

  it.scoped("takes any JSON where no schema is given", function* () {
    const { asked, url } = yield* fakeModel(() => "[1]")
    expect(yield* ask(url, { schema: undefined })).toEqual([1])
    expect(asked[0]?.body.response_format).toEqual({ type: "json_object" })
  })

  it.scoped.each([
    [
      "a refused key",
      { status: 401, body: { error: { message: `bad key ${key}` } } },
      "SLUICE_LLM_KEY",
      "MISCONFIGURED"
    ],
    [
      "an echo of the key",
      { status: 404, body: { error: { message: `no model for ${key}` } } },
      "SLUICE_LLM_MODEL",
      "UNAVAILABLE"
    ],
    ["an error of the endpoint", { status: 500, body: { error: "out of memory" } }, "out of memory", "UNAVAILABLE"],
    ["something else than a completion", { status: 200, body: "<h1>Hello</h1>" }, "OpenAI-compatible", "MISCONFIGURED"]
  ] as const)("tells %s without the key or the address", function* ([, reply, words, code]) {
    const { url } = yield* fakeModel(() => reply)
    const failure = yield* Effect.flip(ask(url))
    expect(failure).toMatchObject({ _tag: "Unavailable", code: `MODEL_${code}` })
    expect(failure.message).toContain(words)
    expect(JSON.stringify(failure) + failure.message).not.toContain(key)
    expect(failure.message).not.toContain("127.0.0.1")
  })

  it.scoped("says when to ask again if the endpoint does", function* () {
    const { url } = yield* fakeModel(() => ({ status: 429, headers: { "retry-after": "7" } }))
    expect(yield* Effect.flip(ask(url))).toMatchObject({ _tag: "Unavailable", retryAfter: 7 })
  })

  it.scoped("follows no redirect: the key goes nowhere else", function* () {
    const elsewhere = yield* fakeModel(() => `{"name":"Ardea"}`)
    const { url } = yield* fakeModel(() => ({
      status: 307,
      headers: { location: `${elsewhere.url}/chat/completions` }
    }))
    expect((yield* Effect.flip(ask(url))).message).toContain("redirects")
    expect(elsewhere.asked).toEqual([])
  })

  it.scoped("bounds the answer and tells one that was cut", function* () {
    const long = yield* fakeModel(() => "x".repeat(5_000_000))
    expect((yield* Effect.flip(ask(long.url))).message).toContain("longer than")
    const cut = yield* fakeModel(() => ({
      status: 200,
      body: { choices: [{ message: { content: `{"name` }, finish_reason: "length" }] }
    }))
    expect((yield* Effect.flip(ask(cut.url))).message).toContain("was cut")
  })

  it.scoped("says that the model cannot be reached if the endpoint does not answer", function* () {
    const failure = yield* Effect.flip(ask("http://127.0.0.1:1/v1"))
    expect(failure).toMatchObject({ _tag: "Unavailable" })
    expect(failure.message).toContain("SLUICE_LLM_URL")
  })

  it.scoped("waits no longer than the deadline", function* () {
    const origin = yield* serve(() => {})
    const waiting = yield* Effect.fork(Effect.flip(ask(origin, { deadline: 5_000 })))
    yield* TestClock.adjust(5_000)
    expect(yield* Fiber.join(waiting)).toMatchObject({ _tag: "TimedOut", code: "MODEL_TIMEOUT" })
  })
})
