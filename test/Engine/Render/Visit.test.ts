/** What is read of a page in a browser, with a browser that answers as the tests say. */

import * as Effect from "effect/Effect"
import type { Navigation } from "../../../src/Engine/Render/Navigations.ts"
import * as Rendering from "../../../src/Engine/Render/Rendering.ts"
import type { Tab } from "../../../src/Engine/Render/Tab.ts"
import { visit } from "../../../src/Engine/Render/Visit.ts"
import { describe, expect, it } from "../../It.ts"

const url = "http://a.example/"

interface State {
  readonly address: string
  readonly html: string
  readonly navigation: Navigation
}

const page = (address: string, statusCode = 200): State => ({
  address,
  html: `<p>${address}</p>`,
  navigation: { url: address, response: { statusCode, headers: {} } }
})

/** A tab that shows the states in turn: each until its picture was taken. */
const tabOf = (states: ReadonlyArray<State>, goto: () => Promise<unknown> = () => Promise.resolve()) => {
  let at = 0
  const now = () => states[Math.min(at, states.length - 1)] as State
  return {
    page: {
      goto,
      url: () => now().address,
      waitForLoadState: () => Promise.resolve(),
      viewportSize: () => null,
      screenshot: () => {
        const picture = Buffer.from(now().address)
        at++
        return Promise.resolve(picture)
      }
    },
    pass: { failures: new Map(), proxy: () => undefined, spent: () => undefined },
    navigation: () => now().navigation,
    attempt: () => now().navigation,
    isLeaving: () => false,
    stopped: () => undefined,
    pendingRequests: () => 0,
    patience: () => 1_000,
    evaluate: (expression: string) =>
      Effect.sync(() => (expression.includes("outerHTML") ? now().html : { hasScripts: false, hasText: true }))
  } as unknown as Tab
}

const request = (rendering: Partial<Rendering.Rendering> = {}) => ({
  url,
  rendering: { ...Rendering.scriptsOnly, ...rendering },
  onPhase: () => undefined
})

describe("a visit", () => {
  it.effect("leaves a page that asks for a password to plain HTTP", function* () {
    const refused = () => Promise.reject(new Error(`page.goto: net::ERR_INVALID_AUTH_CREDENTIALS at ${url}`))
    expect(yield* visit(tabOf([page(url)], refused), request())).toEqual({ _tag: "File", asksForPassword: true })
  })

  it.effect("refuses the browser's own error page to which a click or a script has led", function* () {
    const lost = { ...page(`${url}next`), address: "chrome-error://chromewebdata/" }
    const locked = { ...page(`${url}members`, 401), address: "chrome-error://chromewebdata/" }
    const refusal = (state: State) => Effect.flip(visit(tabOf([state]), request()))
    expect(yield* refusal(lost)).toMatchObject({
      _tag: "Unprocessable",
      error: `The browser could not open ${url}next: the browser shows its own error page.`
    })
    expect(yield* refusal(locked)).toMatchObject({
      _tag: "Unprocessable",
      error: `The browser could not open ${url}members: it asks for a user name and a password.`
    })
  })

  it.effect("has address, status, HTML and picture of one page, also if another one comes meanwhile", function* () {
    const states = [page(url), page(`${url}next`, 404)]
    const outcome = yield* visit(tabOf(states), request({ screenshot: {} }))
    if (outcome._tag === "File") throw new Error("a file was not to be expected")
    const { fetched, shown } = outcome
    expect({ url: fetched.url, status: fetched.statusCode }).toEqual({ url: `${url}next`, status: 404 })
    expect(new TextDecoder().decode(fetched.body)).toContain("next</p>")
    expect(Buffer.from(shown.screenshot?.split(",")[1] ?? "", "base64").toString()).toBe(`${url}next`)
  })
})
