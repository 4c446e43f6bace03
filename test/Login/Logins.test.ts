/** Sessions that the runs of an engine share. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Fetch } from "../../src/Engine/Fetch/Fetch.ts"
import * as Logins from "../../src/Engine/Fetch/Logins.ts"
import * as Store from "../../src/Engine/Store/Store.ts"
import { alone } from "../Engine/Alone.ts"
import { expect, it } from "../It.ts"
import { tempDir } from "../Local.ts"

const cookie = (value: string) => ({ name: "sid", value, domain: "a.example" })

it.scoped("a run that opens a login leaves the requests and browsers of another run their session", function* () {
  const dataDir = yield* tempDir
  const services = yield* Layer.build(
    Logins.layer(dataDir).pipe(
      Layer.provide([Layer.mock(Fetch, { open: () => Promise.reject(new Error("no request")) }), Store.layer(dataDir)]),
      Layer.provide([alone, NodeContext.layer])
    )
  )
  const logins = Context.get(services, Logins.Logins)
  const url = new URL("http://a.example/")
  const open = (recipe: Logins.LoginRequest["recipe"]) =>
    logins.open({ team: "team", name: "shop", recipe, keeps: true })
  const header = Effect.map(logins.find("team", "shop"), ({ jar }) => jar.header(url))
  const recipe = { cookies: [cookie("one")] }
  yield* open(recipe)
  const first = yield* logins.find("team", "shop")
  const giveBack = yield* first.lend
  yield* open(recipe)
  giveBack([cookie("two")])
  expect(yield* header).toBe("sid=two")
  yield* first.begin()(
    url,
    () => open(recipe),
    () => "sid=three; Path=/"
  )
  expect(yield* header).toBe("sid=three")
  yield* open({ cookies: [cookie("other")] })
  giveBack([cookie("four")])
  expect(yield* header).toBe("sid=other")
})
