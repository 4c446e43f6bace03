import { spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { readdirSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { Renderer, type RenderRequest } from "../../../src/Engine/Render/Renderer.ts"
import * as Rendering from "../../../src/Engine/Render/Rendering.ts"
import type { RenderOutcome } from "../../../src/Engine/Render/Visit.ts"
import { describe, expect, it, layer as sharing } from "../../It.ts"
import { temporaryFolder } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { type Answer, options, pages } from "../Scrape/Site.ts"
import { isMissing, layer, layerFor } from "./Installed.ts"

type Asked = Partial<Omit<RenderRequest, "rendering">> & { readonly rendering?: Partial<Rendering.Rendering> }

const render = (url: string, { rendering, ...asked }: Asked = {}) =>
  Effect.flatMap(Renderer, (renderer) =>
    renderer.render({
      url,
      team: "t",
      rendering: { ...Rendering.scriptsOnly, ...rendering },
      userAgent: undefined,
      headers: undefined,
      headersFor: undefined,
      acceptLanguage: undefined,
      // Of a loaded machine: a browser starts in seconds.
      timeout: 120_000,
      skipTlsVerification: false,
      blockAds: true,
      ...asked
    })
  )

const shown = (outcome: RenderOutcome) => {
  if (outcome._tag === "File") throw new Error("a file was not to be expected")
  const { body, ...fetched } = outcome.fetched
  return { ...fetched, html: new TextDecoder().decode(body), ...outcome.shown }
}

const show = (url: string, asked: Asked = {}) => Effect.map(render(url, asked), shown)

const sizeOf = (dataUrl: string | undefined) => {
  const bytes = Buffer.from((dataUrl ?? "").replace(/^data:image\/png;base64,/, ""), "base64")
  return bytes.toString("latin1", 1, 4) === "PNG" ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : "no PNG"
}

const sent =
  (status: number, headers: Record<string, string>, body = "") =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

const html = { "content-type": "text/html" }

const actions = (...list: ReadonlyArray<Record<string, unknown> & { readonly type: string }>) =>
  Effect.map(Rendering.read(options({ actions: list })), (rendering) => rendering?.actions ?? [])

/** Child processes of this process. */
const children = (pid: number): ReadonlyArray<number> =>
  spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)])
    .stdout.toString()
    .split("\n")
    .map(Number)
    .filter((child) => child > 0)

const form = `<!doctype html><title>Form</title><style>body{margin:0}</style>
<input id="name"><button id="go" onclick="said.textContent = 'Hello ' + document.querySelector('#name').value">Go</button>
<p id="said"></p><b class="each" onclick="this.textContent += '!'">a</b><b class="each" onclick="this.textContent += '!'">b</b>
<div style="height:3000px"></div><script>
document.querySelector("#name").addEventListener("keydown", (event) => { if (event.key === "Enter") go.click() })
setTimeout(() => { const late = document.createElement("i"); late.id = "late"; late.textContent = "late"; document.body.prepend(late) }, 300)
</script>`

describe.skipIf(isMissing)("Renderer", () => {
  sharing(layerFor(2), {
    timeout: 180_000,
    excludeTestServices: true
  })("shows", (it) => {
    it.scoped.skipIf(skipsLong)("a page after its scripts, with its status, URL and type", function* () {
      const origin = yield* pages({
        "/": sent(302, { location: "/app#here" }),
        "/app": sent(
          418,
          { "content-type": "text/html; charset=iso-8859-1" },
          `<!doctype html><div id="root"></div><script>fetch("/data").then(async (r) => { root.textContent = await r.text() + " \u00fc" })</script>`
        ),
        "/data": "from far away"
      })
      const page = yield* show(origin)
      expect(page).toMatchObject({ url: `${origin}/app#here`, statusCode: 418 })
      expect(page.headers["content-type"]).toContain("text/html")
      expect(page.html).toContain('<div id="root">from far away')
      expect(page).not.toHaveProperty("screenshot")
      expect(page).not.toHaveProperty("actions")
    })

    it.scoped.skipIf(skipsLong)(
      "a screenshot of the viewport, of the full page, of a given size, and as JPEG",
      function* () {
        const origin = yield* pages({ "/": form, "/long": "<div style='height:40000px'>long</div>" })
        const picture = (screenshot: Rendering.ScreenshotOptions, path = "/") =>
          show(`${origin}${path}`, { rendering: { screenshot } })
        expect(sizeOf((yield* picture({})).screenshot)).toEqual([1280, 800])
        const viewport = { width: 300, height: 200 }
        expect(sizeOf((yield* picture({ viewport })).screenshot)).toEqual([300, 200])
        expect((yield* picture({ quality: 40, viewport })).screenshot).toMatch(/^data:image\/jpeg;base64,\/9j\//)
        const long = yield* picture({ fullPage: true, viewport }, "/long")
        expect(sizeOf(long.screenshot)).toEqual([300, 16384])
        expect(long.warning).toContain("too large for one picture")
      }
    )

    it.scoped.skipIf(skipsLong)("a mobile page, with a user agent that names the engine", function* () {
      const origin = yield* pages({
        "/": (request, response) =>
          void response
            .setHeader("content-type", "text/html")
            .end(
              `<p>${request.headers["user-agent"]}</p><script>document.write(innerWidth + " " + navigator.maxTouchPoints)</script>`
            )
      })
      const desktop = yield* show(origin)
      expect(desktop.html).toMatch(/Mozilla.* Chrome\/.* Sluice\//)
      expect(desktop.html).not.toContain("Headless")
      expect(desktop.html).toContain("1280 0")
      const phone = yield* show(origin, { rendering: { mobile: true } })
      expect(phone.html).toMatch(/Android.* Mobile Safari/)
      expect(phone.html).not.toContain(" 0<")
    })

    it.scoped.skipIf(skipsLong)("a page after its actions, with their results", function* () {
      const origin = yield* pages({ "/": form })
      const list = yield* actions(
        { type: "wait", selector: "#late" },
        { type: "click", selector: "#name" },
        { type: "write", text: "Heron" },
        { type: "press", key: "Enter" },
        { type: "click", selector: ".each", all: true },
        { type: "scrape" },
        { type: "scroll" },
        { type: "executeJavascript", script: "scrollY > 0" },
        { type: "executeJavascript", script: "const title = document.title; return { title, list: [1, null] }" },
        { type: "executeJavascript", script: "Promise.resolve([1, 2])" },
        { type: "scroll", direction: "up" },
        { type: "executeJavascript", script: "scrollY" },
        { type: "screenshot", viewport: { width: 200, height: 100 } },
        { type: "screenshot", fullPage: true, viewport: { width: 200, height: 100 } },
        { type: "pdf", format: "A4", landscape: true },
        { type: "wait", milliseconds: 1 }
      )
      const page = yield* show(origin, { rendering: { actions: list } })
      expect(page.html).toContain("Hello Heron")
      expect(page.html).toContain(">a!</b>")
      expect(page.html).toContain(">b!</b>")
      const { actions: done } = page
      expect(done?.scrapes).toEqual([{ url: `${origin}/`, html: expect.stringContaining("Hello Heron") }])
      expect(done?.javascriptReturns).toEqual([
        { type: "boolean", value: true },
        { type: "object", value: { title: "Form", list: [1, null] } },
        { type: "array", value: [1, 2] },
        { type: "number", value: 0 }
      ])
      const [, [, height] = []] = done?.screenshots?.map(sizeOf) ?? []
      expect(done?.screenshots?.map(sizeOf)).toEqual([
        [200, 100],
        [200, height]
      ])
      expect(height).toBeGreaterThan(3000)
      expect(Buffer.from(done?.pdfs?.[0]?.split(",")[1] ?? "", "base64").toString("latin1", 0, 5)).toBe("%PDF-")
    })

    it.scoped.skipIf(skipsLong)("script results within bounds, counted as parsed JSON", function* () {
      const origin = yield* pages({ "/": "<p>values</p>" })
      const values = (count: number, script: string) =>
        actions(...Array.from({ length: count }, () => ({ type: "executeJavascript", script })))
      let reserved = 0
      const reserve = (bytes: number) =>
        Effect.sync(() => {
          reserved = bytes
        })
      const few = yield* values(2, "Array(100_000).fill(1.25)")
      yield* show(origin, { reserve, rendering: { actions: few } })
      expect(reserved).toBeGreaterThan(2 * 100_000 * 8)
      const many = yield* values(7, "Array(400_000).fill(1)")
      const failure = yield* Effect.flip(render(origin, { rendering: { actions: many } }))
      expect(failure).toMatchObject({ _tag: "TooLarge", code: "SCRAPE_TOO_LARGE" })
      expect(failure.message).toContain("5000000 characters")
      const crowded = yield* values(1, "Array.from({ length: 60_000 }, () => ({}))")
      const refused = yield* Effect.flip(render(origin, { rendering: { actions: crowded } }))
      expect(refused.message).toContain("has more than 50000 objects and arrays")
    })

    it.scoped.skipIf(skipsLong)("that a page waited for memory until the timeout", function* () {
      const origin = yield* pages({ "/": "<p>large</p>" })
      const failure = yield* Effect.flip(render(origin, { timeout: 8_000, reserve: () => Effect.never }))
      expect(failure).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
      expect(failure.message).toContain("there was no memory for it within 8000 ms")
    })

    it.scoped.skipIf(skipsLong)("the number and name of an action that failed", function* () {
      const origin = yield* pages({ "/": form })
      const failure = (action: Record<string, unknown> & { readonly type: string }, asked: Asked = {}) =>
        Effect.flatMap(actions({ type: "scroll" }, action), (list) =>
          Effect.flip(render(origin, { ...asked, rendering: { actions: list } }))
        )
      expect(yield* failure({ type: "press", key: "Nonsense" })).toMatchObject({ _tag: "BadRequest" })
      expect(yield* failure({ type: "click", selector: "p[[" })).toMatchObject({ _tag: "BadRequest" })
      const thrown = yield* failure({ type: "executeJavascript", script: "throw new Error('no herons')" })
      expect(thrown).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_ACTION_ERROR" })
      expect(thrown.message).toContain("action 2 (executeJavascript): Error: no herons")
      const deep = yield* failure({
        type: "executeJavascript",
        script:
          "let a = []; for (let i = 0; i < 20000; i++) a = [a]; JSON.stringify = () => '['.repeat(20000) + ']'.repeat(20000); return a"
      })
      expect(deep).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_ACTION_ERROR" })
      expect(deep.message).toContain("nested more than 1000 levels deep")
      // A busy machine may need longer than the timeout to reach the action.
      for (const timeout of [1_500, 6_000, 60_000]) {
        const waited = yield* failure({ type: "wait", selector: "#never" }, { timeout })
        expect(waited).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
        if (timeout < 60_000 && !waited.message.includes("action 2")) continue
        expect(waited.message).toContain('action 2 (wait "#never")')
        break
      }
    })

    it.scoped.skipIf(skipsLong)(
      "no private address: not by literal, name, redirect, frame, script or link",
      function* () {
        const refused = (url: string, asked: Asked = {}) =>
          Effect.map(Effect.flip(render(url, asked)), ({ _tag, code }) => ({ _tag, code }))
        const blocked = { _tag: "Forbidden", code: "SSRF_BLOCKED" }
        const origin = yield* pages({
          "/redirect": sent(302, { location: "http://192.0.2.1/" }),
          "/script": `<script>location = "http://192.0.2.1/"</script>`,
          "/click": `<a href="http://192.0.2.1/secret">in</a>`,
          "/file": sent(302, { location: "file:///etc/passwd" }),
          "/parts": `<p>Parts</p><iframe src="file:///etc/passwd"></iframe><iframe src="http://[::1]:1/"></iframe><img src="http://10.0.0.1/a.png">
            <script>fetch("http://192.0.2.1/").catch((e) => document.body.append("refused")); open("http://10.0.0.2/")</script>`
        })
        for (const path of ["/redirect", "/script"]) expect(yield* refused(`${origin}${path}`), path).toEqual(blocked)
        for (const url of ["https://192.0.2.1/", "http://0x0a000001/", "http://[::1]:8123/"]) {
          expect(yield* refused(url), url).toEqual(blocked)
        }
        const clicked = yield* actions({ type: "click", selector: "a" })
        expect(yield* refused(`${origin}/click`, { rendering: { actions: clicked } })).toEqual(blocked)
        expect(yield* refused(`${origin}/file`)).toEqual({ _tag: "Unprocessable", code: "SCRAPE_REDIRECT_ERROR" })
        const parts = yield* show(`${origin}/parts`)
        expect(parts.html).toContain("refused")
        expect(parts.html).not.toContain("root:")
      },
      180_000
    )

    it.scoped(
      "the page to which a form, a script or a refresh leads, with its status, also when it is slow",
      function* () {
        const slow: Answer = (_, response) => void setTimeout(() => sent(404, html, "<p>found</p>")(_, response), 700)
        const origin = yield* pages({
          "/": `<!doctype html><p>search</p><form action="/found"><input id="q" name="q"></form>`,
          "/script": "<p>Redirecting</p><script>onload = () => { location = '/found' }</script>",
          "/refresh": `<meta http-equiv="refresh" content="0;url=/found"><p>Redirecting</p>`,
          "/found": slow
        })
        const typed = yield* actions(
          { type: "click", selector: "#q" },
          { type: "write", text: "x" },
          { type: "press", key: "Enter" }
        )
        const found = { statusCode: 404, html: expect.stringContaining("found") }
        expect(yield* show(origin, { rendering: { actions: typed } })).toMatchObject({
          ...found,
          url: `${origin}/found?q=x`
        })
        for (const path of ["/script", "/refresh"]) {
          expect(yield* show(`${origin}${path}`), path).toMatchObject({ ...found, url: `${origin}/found` })
        }
      }
    )

    it.scoped.skipIf(skipsLong)(
      "a page that starts a download or gets a 204, with its own status and a picture",
      function* () {
        const origin = yield* pages({
          "/": "<p>Your download starts now</p><script>onload = () => { location = '/a.zip' }</script>",
          "/a.zip": sent(200, { "content-type": "application/zip" }, "PK"),
          "/none": "<p>stays</p><script>onload = () => { location = '/204' }</script>",
          "/204": sent(204, {})
        })
        for (const path of ["/", "/none"]) {
          const page = yield* show(`${origin}${path}`, { rendering: { screenshot: {} } })
          expect(page, path).toMatchObject({ statusCode: 200, screenshot: expect.stringContaining("data:image/png") })
          expect(page.headers["content-type"], path).toContain("text/html")
        }
      }
    )

    it.scoped.skipIf(skipsLong)(
      "one click for each, as the page sees it, and which one could not be made",
      function* () {
        const origin = yield* pages({
          "/": `<script>let n = 0; addEventListener("click", () => { said.textContent = "clicks: " + ++n }, true)</script>
            <button>a</button><p id="said"></p>`,
          "/covered": `<button onclick="cover.style.display = 'block'">a</button><button>b</button>
            <div id="cover" style="display:none;position:fixed;inset:0"></div>`,
          "/hover": `<button onmouseover="cover.style.display = 'block'">a</button>
            <div id="cover" style="display:none;position:fixed;inset:0"></div>`,
          "/once": "<button onclick=\"this.replaceWith('open ')\">more</button>".repeat(4),
          "/leads": `<button onclick="location = '/'">on</button><button>b</button>`
        })
        const click = yield* actions({ type: "click", selector: "button", all: true })
        const shown = (path: string) =>
          Effect.map(show(`${origin}${path}`, { rendering: { actions: click } }), ({ html }) => html)
        expect(yield* shown("/")).toContain("clicks: 1<")
        expect(yield* shown("/once")).toContain("open open open open")
        expect(yield* shown("/leads")).toContain('id="said"')
        for (const path of ["/covered", "/hover"]) {
          const failure = yield* Effect.flip(render(`${origin}${path}`, { rendering: { actions: click } }))
          expect(failure.message, path).toContain("there is no such element that can be clicked")
        }
      }
    )

    it.scoped.skipIf(skipsLong)(
      "one click for each of a list that is drawn anew, and no more than there were",
      function* () {
        const list = (draw: string, then = "") =>
          `<p id="said"></p><div id="r"></div><script>
          let state = ["a", "b", "c", "d"]
          const button = (name) => '<button name="' + name + '" onclick="press(this.name)">' + name + "</button>"
          const draw = () => { r.innerHTML = state.map(button).join("") }
          const press = (name) => { said.append(name); ${draw} }
          draw()
          ${then}
        </script>`
        const origin = yield* pages({
          "/same": list("draw()"),
          "/less": list("state = state.filter((one) => one !== name); draw()"),
          "/more": list("state = state.flatMap((one) => (one === name ? [one, one + 1] : [one])); draw()"),
          "/removed": list("document.querySelector('[name=' + name + ']').remove()"),
          "/next": list("document.querySelector('[name=' + name + ']').nextElementSibling?.remove()"),
          "/empty": list("state = []; draw()"),
          "/late": list("", "r.addEventListener('mouseover', () => { if (r.isNew) return; r.isNew = true; draw() })"),
          "/leads": list("location = '/same'")
        })
        const click = yield* actions({ type: "click", selector: "button", all: true })
        const clicked = (path: string) =>
          Effect.map(show(`${origin}${path}`, { rendering: { actions: click } }), ({ html, warning }) => [
            /id="said">(\w*)</.exec(html)?.[1],
            warning
          ])
        for (const path of ["/same", "/less", "/more", "/removed", "/late"]) {
          expect(yield* clicked(path), path).toEqual(["abcd", undefined])
        }
        const clicks = (count: number) => expect.stringContaining(`(click "button") clicked ${count} of 4 elements`)
        expect(yield* clicked("/next")).toEqual(["ac", clicks(2)])
        expect(yield* clicked("/empty")).toEqual(["a", clicks(1)])
        expect(yield* clicked("/leads")).toEqual(["", clicks(1)])
      }
    )

    it.scoped.skipIf(skipsLong)("clicks on what can be clicked, without the hidden and disabled", function* () {
      const origin = yield* pages({
        "/": `<p id="said"></p><button hidden>h</button><button>a</button><button disabled>d</button>
          <button>b</button><button style="visibility:hidden">v</button><button>c</button>`,
        "/hides": `<p id="said"></p><button>a</button><button id="x">b</button><script>
          addEventListener("click", () => { x.hidden = true })</script>`,
        "/waits": `<p id="said"></p><button>a</button><button id="x">b</button><script>
          addEventListener("click", () => { x.disabled = true; setTimeout(() => { x.disabled = false }, 100) })</script>`,
        "/none": `<p id="said"></p><button hidden>a</button><button hidden>b</button>`,
        "/off": `<p id="said"></p><button disabled>a</button>`,
        "/empty": `<p id="said"></p>`
      })
      const says = `document.addEventListener("click", ({ target }) => said.append(target.textContent))`
      const clicked = (path: string, all: boolean) =>
        Effect.flatMap(
          actions({ type: "executeJavascript", script: says }, { type: "click", selector: "button", all }),
          (list) =>
            Effect.match(show(`${origin}${path}`, { rendering: { actions: list } }), {
              onFailure: ({ message }) => message,
              onSuccess: ({ html, warning }) => [/id="said">(\w*)</.exec(html)?.[1], warning]
            })
        )
      const clicks = (count: string) => expect.stringContaining(`action 2 (click "button") clicked ${count} elements`)
      expect(yield* clicked("/", false)).toEqual(["a", undefined])
      expect(yield* clicked("/", true)).toEqual(["abc", clicks("3 of 6")])
      expect(yield* clicked("/hides", true)).toEqual(["a", clicks("1 of 2")])
      expect(yield* clicked("/waits", true)).toEqual(["ab", undefined])
      for (const path of ["/none", "/off"]) {
        expect(yield* clicked(path, true), path).toContain("there is no such element that can be clicked")
      }
      expect(yield* clicked("/empty", true)).toEqual(["", expect.stringContaining("found no element")])
      expect(yield* clicked("/empty", false)).toContain("there is no such element that can be clicked")
    })

    it.scoped.skipIf(skipsLong)("a warning of a click that opens another window", function* () {
      const origin = yield* pages({
        "/": `<a id="link" href="/other" target="_blank">other</a> <b onclick="window.open('/other')">b</b> <i>i</i>`,
        "/other": "<p>other</p>"
      })
      const after = (selector: string) =>
        Effect.flatMap(actions({ type: "click", selector }), (list) => show(origin, { rendering: { actions: list } }))
      const warning = (name: string) =>
        `action 1 (click "${name}") opened another window, which is not read: scrape its address (${origin}/other).`
      for (const name of ["#link", "b"]) {
        expect(yield* after(name)).toMatchObject({ url: `${origin}/`, warning: expect.stringContaining(warning(name)) })
      }
      expect(yield* after("i")).not.toHaveProperty("warning")
    })

    it.scoped.skipIf(skipsLong)(
      "the page to which a click leads after 7 seconds; the page before if it never answers",
      function* () {
        const origin = yield* pages({
          "/": `<p>here</p><a id="slow" href="/slow">slow</a> <a id="never" href="/never">never</a>`,
          "/slow": (_, response) => void setTimeout(() => sent(200, html, "<p>slow page</p>")(_, response), 7_000),
          "/never": () => undefined,
          "/script": "<p>before</p><script>onload = () => { location = '/never' }</script>"
        })
        const shownAfter = (selector: string) =>
          Effect.flatMap(actions({ type: "click", selector }), (list) => show(origin, { rendering: { actions: list } }))
        const [slow, never, short] = yield* Effect.all(
          [shownAfter("#slow"), shownAfter("#never"), show(`${origin}/script`, { timeout: 12_000 })],
          { concurrency: "unbounded" }
        )
        expect(slow).toMatchObject({ url: `${origin}/slow`, html: expect.stringContaining("slow page") })
        const warning = expect.stringContaining("/never, which did not answer in time, so the page before it was read")
        expect(never).toMatchObject({
          warning,
          url: `${origin}/`,
          html: expect.stringContaining("here"),
          statusCode: 200
        })
        expect(short).toMatchObject({
          warning,
          url: `${origin}/script`,
          html: expect.stringContaining("before"),
          statusCode: 200
        })
      }
    )

    it.scoped.skipIf(skipsLong)("a picture of a page whose font never arrives", function* () {
      const origin = yield* pages({
        "/": `<style>@font-face { font-family: f; src: url(/font.woff2) } p { font-family: f }</style><p>text</p>`,
        "/font.woff2": () => undefined
      })
      const page = yield* show(origin, { timeout: 30_000, rendering: { screenshot: {} } })
      expect(page).toMatchObject({
        html: expect.stringContaining("text"),
        screenshot: expect.stringContaining("data:image/png")
      })
    })

    it.scoped.skipIf(skipsLong)("no page that asks for a password: it is left to plain HTTP", function* () {
      const origin = yield* pages({ "/": sent(401, { "www-authenticate": "Basic realm=x", ...html }, "<p>no</p>") })
      const outcome = yield* render(origin)
      // Chromium's headless shell shows the page with its status, the full browser does not.
      if (outcome._tag === "File") expect(outcome.asksForPassword).toBe(true)
      else expect(shown(outcome)).toMatchObject({ statusCode: 401 })
    })

    it.scoped.skipIf(skipsLong)("a page with a broken image, but not a broken page", function* () {
      const drop: Answer = (request) => void request.socket.destroy()
      const origin = yield* pages({
        "/": `<p>here</p><img src="/picture"><img src="/picture?2">`,
        "/picture": drop
      })
      expect((yield* show(origin)).html).toContain("here")
      const failure = yield* Effect.flip(render(`${origin}/picture`))
      expect(failure).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR" })
    })

    it.scoped.skipIf(skipsLong)("nothing past the gateway: no datagram is sent to a STUN server", function* () {
      let datagrams = 0
      const socket = createSocket("udp4", () => {
        datagrams += 1
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void socket.bind(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => socket.close())
      )
      const origin = yield* pages({
        "/": `<p id="said">…</p><script>
            const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${socket.address().port}" }] })
            peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
            peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === "complete") said.textContent = "gathered" }
          </script>`
      })
      yield* show(origin, { rendering: { waitFor: 400 } })
      expect(datagrams).toBe(0)
    })

    it.scoped.skipIf(skipsLong)("files and downloads as such, without rendering them", function* () {
      const origin = yield* pages({
        "/a.pdf": sent(200, { "content-type": "application/pdf" }, "%PDF-1.4"),
        "/a.zip": sent(200, { "content-type": "application/octet-stream" }, "PK"),
        "/named": sent(200, { "content-type": "text/html", "content-disposition": "attachment" }, "<p>x</p>"),
        "/a.json": sent(200, { "content-type": "application/json" }, "{}")
      })
      for (const path of ["a.pdf", "a.zip", "named", "a.json"]) {
        expect((yield* render(`${origin}/${path}`))._tag, path).toBe("File")
      }
    })

    it.scoped.skipIf(skipsLong)(
      "the request's headers to the site they are meant for, and only harmless ones to others",
      function* () {
        const seen: Array<string> = []
        const note = (name: string) => (request: IncomingMessage) =>
          void seen.push(`${name} ${request.headers["x-key"]} ${request.headers.cookie} ${request.headers.dnt}`)
        const other = yield* pages({
          "/b.js": (request, response) => {
            note("other")(request)
            response.end("document.body.append('b')")
          }
        })
        const origin = yield* pages({
          "/": (request, response) => {
            note("page")(request)
            response
              .setHeader("content-type", "text/html")
              .end(`<p>x</p><script src="/a.js"></script><script src="${other}/b.js"></script>`)
          },
          "/a.js": (request, response) => {
            note("script")(request)
            response.writeHead(302, { location: `${other}/b.js` }).end()
          },
          "/leave": sent(302, { location: `${other}/b.js` })
        })
        const headers = { "X-Key": "k", Cookie: "a=b", DNT: "1" }
        yield* show(origin, { headers })
        expect(seen.sort()).toEqual([
          "other undefined undefined 1",
          "other undefined undefined 1",
          "page k a=b 1",
          "script k a=b 1"
        ])
        seen.length = 0
        yield* show(origin, { headers, headersFor: other })
        expect(seen).toContain("page undefined undefined 1")
        expect(seen).toContain("other k a=b 1")
        seen.length = 0
        yield* show(`${origin}/leave`, { headers })
        expect(seen).toEqual(["other undefined undefined 1"])
      }
    )

    it.scoped.skipIf(skipsLong)(
      "the failure of a page to its own request only",
      function* () {
        const origin = yield* pages({
          "/fine": (request, response) => {
            response.setHeader("content-type", "text/html")
            response.end(`<p>fine, ${request.headers["user-agent"]}</p>`)
          },
          "/loop": "<p>loop</p><script>while (true);</script>",
          "/talk": `<p>talk</p><script>console.log("x".repeat(2 ** 22)); throw new Error("y".repeat(2 ** 22))</script>`,
          "/ask": "<p>ask</p><script>alert(1); confirm(2); onbeforeunload = () => 'no'</script>",
          "/big": `<p>big</p><script>fetch("/endless").then((answer) => answer.arrayBuffer())</script>`,
          "/greedy": `<p>greedy</p><script>const all = []; setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 5)</script>`,
          "/endless": sent(200, { "content-type": "text/plain" }, "a".repeat(60 * 1024 * 1024))
        })
        const other = yield* Effect.fork(
          Effect.all([1, 2].map(() => Effect.delay(show(`${origin}/fine`, { userAgent: "Heron/1" }), "200 millis")))
        )
        const loop = yield* Effect.fork(Effect.flip(render(`${origin}/loop`, { timeout: 2_000 })))
        expect((yield* show(`${origin}/talk`)).html).toContain("talk")
        expect((yield* show(`${origin}/ask`)).html).toContain("ask")
        expect(yield* loop).toMatchObject({ _tag: "TimedOut" })
        expect(yield* Effect.flip(render(`${origin}/big`, { rendering: { waitFor: 15_000 } }))).toMatchObject({
          _tag: "TooLarge"
        })
        const { _tag, code } = yield* Effect.flip(render(`${origin}/greedy`, { rendering: { waitFor: 15_000 } }))
        expect({ _tag, code }).toEqual({ _tag: "Unprocessable", code: "SCRAPE_PAGE_CRASHED" })
        expect((yield* other)[1]?.html).toContain("fine, Heron/1<")
      },
      180_000
    )

    it.scoped.skipIf(skipsLong)(
      "a page of one team while another team has more slow pages than there are slots",
      function* () {
        let held = 0
        const asked = yield* Effect.makeLatch()
        const hold: Answer = () => {
          held += 1
          if (held === 3) asked.unsafeOpen()
        }
        const origin = yield* pages({ "/hold": hold, "/fine": "<p>fine</p>" })
        const flood = Effect.all(
          Array.from({ length: 5 }, () => Effect.ignore(render(`${origin}/hold`, { team: "a", timeout: 60_000 }))),
          { concurrency: "unbounded" }
        )
        yield* Effect.forkScoped(flood)
        yield* asked.await
        expect((yield* show(`${origin}/fine`, { team: "b" })).html).toContain("fine")
        expect(held).toBe(3)
      }
    )

    it.scoped.skipIf(skipsLong)("the next page in a new browser after the old one ended", function* () {
      const origin = yield* pages({ "/fine": "<p>fine</p>" })
      yield* show(`${origin}/fine`)
      // Kills only browsers: tests share a Postgres process.
      const mine = children(process.pid)
        .flatMap((shell) => children(shell))
        .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--remote-debugging-pipe"))
      expect(mine).not.toEqual([])
      const waiting = yield* Effect.fork(Effect.flip(render(`${origin}/fine`, { rendering: { waitFor: 10_000 } })))
      // A page that waits for memory has been captured already.
      const [holds, ended] = [yield* Effect.makeLatch(), yield* Effect.makeLatch()]
      const reserve = () => Effect.zipRight(holds.open, ended.await)
      const kept = yield* Effect.fork(show(`${origin}/fine`, { reserve }))
      yield* holds.await
      yield* Effect.sleep("1 second")
      // A browser of the test before may have ended meanwhile.
      for (const pid of mine) yield* Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL")))
      const { _tag, code } = yield* waiting
      expect({ _tag, code }).toEqual({ _tag: "Unavailable", code: "BROWSER_LOST" })
      yield* ended.open
      expect((yield* kept).html).toContain("fine")
      expect((yield* show(`${origin}/fine`)).html).toContain("fine")
    })
  })

  it.scopedLive.skipIf(skipsLong)("leaves nothing behind", function* () {
    // Other test processes have browsers of their own at the same time.
    const folder = yield* temporaryFolder
    const made = () => readdirSync(folder).filter((name) => /^(?:sluice-.*-c-|playwright)/.test(name))
    yield* Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* pages({ "/": "<p>x</p>" })
        yield* show(origin)
        expect(made()).toHaveLength(1)
      })
    ).pipe(Effect.provide(layer))
    expect(made()).toEqual([])
  })
})
