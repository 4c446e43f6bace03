/** The live view as people see it, in a browser of their own. */

import { describe, expect, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { session } from "./Ground.ts"
import { drive, layer, line, look, pixel, run, Sight, spot, until } from "./Sight.ts"

const isNear = (colour: ReadonlyArray<number>, wanted: ReadonlyArray<number>): boolean =>
  wanted.every((value, index) => Math.abs(value - (colour[index] ?? -1)) < 12)

const corners = [
  [0.25, 0.25, [0xd0, 0x20, 0x20]],
  [0.75, 0.25, [0x20, 0xa0, 0x40]],
  [0.25, 0.75, [0x20, 0x40, 0xc0]],
  [0.75, 0.75, [0xf0, 0xe0, 0x40]]
] as const

describe.skipIf(isMissing)("The live view", () => {
  sharing(layer, { excludeTestServices: true })("of a session", (it) => {
    it.scoped.skipIf(skipsLong)(
      "shows what the page shows, to several at once, comes back after a cut, and says when the session is over",
      function* () {
        const { baseUrl, browser, call, site } = yield* Sight
        const opened = yield* session(call)
        const page = yield* drive(opened.cdpUrl)
        const way = yield* line(baseUrl)
        const first = yield* look(browser, opened.liveViewUrl?.replace(baseUrl, way.url))
        const second = yield* look(browser, opened.liveViewUrl, { colorScheme: "dark" })
        yield* run(() => page.goto(`${site.url}/colours`))
        for (const viewer of [first, second]) {
          for (const [x, y, colour] of corners) {
            yield* until(async () => isNear(await pixel(viewer, x, y), colour))
          }
          yield* until(async () => (await viewer.title()) === "Colours · Sluice")
          expect(yield* run(() => viewer.inputValue("#address"))).toBe(`${site.url}/colours`)
          expect(yield* run(() => viewer.getAttribute("#picture", "aria-label"))).toContain("Colours")
          expect(yield* run(() => viewer.locator("#left").textContent())).toMatch(/^(?:10:00|9:\d\d) left$/)
        }
        // It comes to rest as the page does.
        yield* run(() =>
          page.evaluate(`document.body.style.display = "none"; document.documentElement.style.background = "#d02020"`)
        )
        for (const viewer of [first, second])
          yield* until(async () => isNear(await pixel(viewer, 0.75, 0.75), corners[0][2]))
        way.cut()
        yield* run(() => first.waitForSelector('#status[data-is="cut"]'))
        yield* run(() => page.goto(`${site.url}/colours`))
        yield* run(() => first.waitForSelector('#status[data-is="live"]'))
        yield* until(async () => isNear(await pixel(first, 0.75, 0.25), corners[1][2]))
        expect((yield* call.del(`/v2/browser/${opened.id}`)).status).toBe(200)
        for (const one of [first, second]) {
          yield* run(() => one.waitForSelector("#end:visible"))
          expect(yield* run(() => one.textContent("#end-text"))).toBe("It was deleted.")
          expect(yield* run(() => one.title())).toBe("Session ended · Sluice")
        }
        const reply = yield* run(() => second.reload())
        expect(reply?.status()).toBe(410)
        expect(yield* run(() => second.textContent("#end-title"))).toBe("This session has ended")
      }
    )

    it.scoped.skipIf(skipsLong)(
      "brings clicks, keys, pasted text, wheel and touch of the interactive link into the page, and goes through the web in tabs",
      function* () {
        const { browser, call, site } = yield* Sight
        const opened = yield* session(call)
        const page = yield* drive(opened.cdpUrl)
        yield* run(() => page.goto(`${site.url}/form`))
        const viewer = yield* look(browser, opened.interactiveLiveViewUrl, { hasTouch: true })
        const above = yield* run(() => spot(viewer, 0.5, 0.25))
        const below = yield* run(() => spot(viewer, 0.5, 0.75))
        yield* run(() => viewer.mouse.click(...above))
        yield* run(() => viewer.keyboard.type("Größe 1:1 @"))
        yield* run(() => viewer.keyboard.press("Enter"))
        yield* run(() => viewer.keyboard.insertText("日本"))
        yield* run(() => viewer.keyboard.press("x"))
        yield* run(() => viewer.keyboard.press("Backspace"))
        yield* until(async () => (await page.inputValue("textarea")) === "Größe 1:1 @\n日本")
        yield* run(() => viewer.keyboard.press("Control+a"))
        yield* run(() => viewer.keyboard.press("Delete"))
        yield* until(async () => (await page.inputValue("textarea")) === "")
        yield* run(() => viewer.mouse.dblclick(...below))
        yield* until(async () => (await page.textContent("button")) === "Pressed 2")
        yield* run(() => viewer.touchscreen.tap(...below))
        yield* until(async () => (await page.textContent("button")) === "Pressed 1")
        yield* run(() => page.goto(`${site.url}/long`))
        yield* run(() => viewer.mouse.move(...above))
        yield* run(() => viewer.mouse.wheel(0, 400))
        yield* until(async () => (await viewer.title()) === "Scrolled · Sluice")
        // Nowhere but to addresses of the web.
        const go = (address: string) =>
          run(async () => {
            await viewer.fill("#address", address)
            await viewer.press("#address", "Enter")
          })
        yield* go(`${new URL(site.url).host}/colours`)
        yield* until(async () => isNear(await pixel(viewer, 0.25, 0.25), corners[0][2]))
        yield* go(`${site.url}/form`)
        yield* until(async () => (await viewer.title()) === "Form · Sluice")
        yield* run(() => viewer.click("#back"))
        yield* until(async () => page.url() === `${site.url}/colours`)
        for (const address of ["file:///etc/passwd", "chrome://version"]) {
          yield* go(address)
          yield* until(async () => (await viewer.textContent("#notice"))?.includes("only open web addresses") ?? false)
        }
        expect(page.url()).toBe(`${site.url}/colours`)
        yield* run(() => viewer.click("#open"))
        yield* until(async () => (await viewer.locator("#tabs li").count()) === 2)
        yield* until(async () => page.context().pages().length === 2)
        yield* run(() => viewer.click("#tabs li:first-child .tab"))
        yield* until(async () => (await viewer.title()) === "Colours · Sluice")
        yield* run(() => viewer.click("#tabs li:last-child .close"))
        yield* until(async () => page.context().pages().length === 1)
      }
    )

    it.scoped.skipIf(skipsLong)(
      "shows the boxes and lists of a page, lets them be answered, gives out what is selected, and fits",
      function* () {
        const { browser, call, site } = yield* Sight
        const opened = yield* session(call)
        const page = yield* drive(opened.cdpUrl)
        // Else the program would answer it.
        page.on("dialog", () => undefined)
        yield* run(() => page.goto(`${site.url}/form`))
        const watcher = yield* look(browser, opened.liveViewUrl)
        const viewer = yield* look(browser, opened.interactiveLiveViewUrl, {
          permissions: ["clipboard-read", "clipboard-write"]
        })
        const answer = page.evaluate(`prompt("Who are you?", "Ada")`)
        yield* run(() => viewer.waitForSelector("#box[open]"))
        yield* run(() => watcher.waitForSelector("#box[open]"))
        expect(yield* run(() => watcher.locator("#box button:visible").count())).toBe(0)
        expect(yield* run(() => viewer.textContent("#box-text"))).toBe("Who are you?")
        yield* run(() => viewer.fill("#box-field", "Grace"))
        yield* run(() => viewer.click("#box-yes"))
        expect(yield* run(() => answer)).toBe("Grace")
        yield* run(() => page.fill("textarea", "from within"))
        yield* run(() =>
          page.evaluate(`document.querySelector("textarea").focus(); document.querySelector("textarea").select()`)
        )
        yield* run(() => viewer.click("#copy"))
        yield* until(async () => (await viewer.textContent("#notice")) === "Copied.")
        expect(yield* run(() => viewer.evaluate("navigator.clipboard.readText()"))).toBe("from within")
        yield* run(() => page.goto(`${site.url}/list`))
        yield* until(async () => (await viewer.title()) === "List · Sluice")
        const above = yield* run(() => spot(viewer, 0.5, 0.25))
        yield* run(() => viewer.mouse.click(...above))
        yield* run(() => viewer.waitForSelector("#choices[open]"))
        expect(yield* run(() => viewer.locator("#choices-list button").allTextContents())).toEqual([
          "one",
          "two",
          "three"
        ])
        expect(yield* run(() => viewer.locator("#choices-list button:disabled").count())).toBe(1)
        yield* run(() => viewer.keyboard.press("ArrowDown"))
        yield* run(() => viewer.keyboard.press("Enter"))
        yield* until(async () => (await page.title()) === "three")
        const own = yield* run(() => page.evaluate("innerWidth"))
        yield* run(() => viewer.click("#fit"))
        yield* until(async () => (await page.evaluate("innerWidth")) === 968)
        yield* run(() => viewer.click("#fit"))
        yield* until(async () => (await page.evaluate("innerWidth")) === own)
      }
    )
  })
})
