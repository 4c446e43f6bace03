/** What does the work: a local engine that really starts and parses, and the service of the settings. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Connection from "../../Client/Connection.ts"
import { Parse } from "../../Client/Parse.ts"
import * as Client from "../../Client.ts"
import { choose, type Hosted } from "../../Settings/Engine.ts"
import * as Account from "../Account.ts"
import * as Local from "../Local.ts"
import type { Values } from "../Profile.ts"
import type { Failure } from "../Verb.ts"
import { broken, type Finding, missing, ok } from "./Finding.ts"

const patience = Duration.seconds(15)

/** Starts an engine in a folder of its own, has it parse a page, and stops it. */
export const engine = (settings: Values) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped({ prefix: "sluice-doctor-" })
    const { baseUrl, key } = yield* Local.start(settings, { dataDir })
    const started = ok("engine", "starts on loopback")
    const page = new TextEncoder().encode("<!doctype html><title>doctor</title><p>looked at</p>")
    const parser = yield* Effect.flatMap(Parse, (client) => client.parse({ file: page, name: "doctor.html" })).pipe(
      Effect.provide(Layer.provide(Client.layer, Connection.layer({ baseUrl, apiKey: key }))),
      Effect.as(ok("parser", "a child process reads a document")),
      Effect.catchAll((error) =>
        Effect.succeed(broken("parser", error.message, "look for limits on processes or memory; --debug shows more"))
      )
    )
    return [started, parser]
  }).pipe(
    Effect.scoped,
    Effect.timeoutFail({
      duration: patience,
      onTimeout: (): Failure => ({ _tag: "Timeout", message: `no answer within ${Duration.format(patience)}` })
    }),
    Effect.catchAll((error) =>
      Effect.succeed<ReadonlyArray<Finding>>([
        broken("engine", error.message, "run sluice doctor --debug, and see what of the machine is used up")
      ])
    )
  )

/** Asks the service what is left, which costs nothing and shows whether the key is right. */
const look = (hosted: Hosted): Effect.Effect<Finding> =>
  Account.ask(hosted).pipe(
    Effect.as(ok("service", `${hosted.baseUrl} answers and takes the key`)),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>({ name: "service", state: "broken", found: error.message, essential: true })
    )
  )

/** The service that runs call. */
export const service = (settings: Values): Effect.Effect<Finding> =>
  Either.match(choose(settings), {
    onLeft: ({ name, reason }) => {
      const [found = reason, todo = ""] = reason.split(": ")
      return Effect.succeed(broken("service", `${name}: ${found}`, todo))
    },
    onRight: (hosted) => {
      if (hosted !== undefined) return look(hosted)
      const { apiKey, baseUrl, engine } = settings
      return Effect.succeed(
        engine === "auto" && apiKey !== undefined
          ? missing(
              "service",
              "SLUICE_API_KEY is set without SLUICE_BASE_URL, so that the local engine answers",
              "set SLUICE_BASE_URL"
            )
          : ok(
              "service",
              baseUrl === undefined
                ? "the local engine; SLUICE_BASE_URL and SLUICE_API_KEY name another"
                : "the local engine, as SLUICE_ENGINE says; without that it would be the one of SLUICE_BASE_URL"
            )
      )
    }
  })
