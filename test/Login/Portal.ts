/** A members' portal on loopback: a form with a CSRF token, sessions that rotate or expire, and links that really sign out. */
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { page } from "../Local.ts"

export const user = "member@example.com"
export const password = "sentinel p&ss=w+rd/ü 1"

interface Options {
  readonly members?: number
  /** Pages after which a session is over; 0 for never. */
  readonly expiresAfter?: number
  /** Each page replaces the cookie of the session. */
  readonly rotates?: boolean
  /** Links with these texts and addresses on each page of a member. */
  readonly links?: ReadonlyArray<readonly [href: string, text: string]>
  /** Pages answer with a redirect to the login in place of its form. */
  readonly redirects?: boolean
  /** Milliseconds of a page of a member. */
  readonly delay?: number
}

const cookiesOf = ({ headers }: Http.IncomingMessage): ReadonlyMap<string, string> =>
  new Map(
    (headers.cookie ?? "").split("; ").flatMap((pair) => {
      const at = pair.indexOf("=")
      return at < 0 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const]
    })
  )

const bodyOf = (request: Http.IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on("end", () => resolve(text))
  })

export const portal = (options: Options = {}) =>
  Effect.gen(function* () {
    const {
      delay = 0,
      expiresAfter = 0,
      links = [["/logout", "Log out"]],
      members = 30,
      redirects = false,
      rotates = false
    } = options
    const log = {
      logins: 0,
      refused: 0,
      logouts: 0,
      walls: 0,
      pages: new Map<string, number>(),
      secrets: [] as Array<string>
    }
    let isLocked = false
    /** Sessions, and the pages that each has shown. */
    const sessions = new Map<string, number>()
    const tokens = new Map<string, string>()
    const form = (token: string, words = "") =>
      `<!doctype html><title>Sign in</title><form action="/search"><input name="q"></form><h1>Sign in</h1><p>${words}</p>
      <form method="post" action="/session"><input type="hidden" name="csrf" value="${token}">
      <input name="email"><input type="password" name="password">
      <button name="do" value="remind">Forgot</button><button name="do" value="enter">Enter</button></form>`
    const fresh = () => {
      const id = randomUUID()
      log.secrets.push(id)
      return id
    }
    const server = Http.createServer((request, response) => {
      void (async () => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://portal")
        const cookies = cookiesOf(request)
        const send = (status: number, body: string, headers: Http.OutgoingHttpHeaders = {}) =>
          response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body)
        const wall = () => {
          log.walls++
          if (redirects && pathname !== "/login") return send(302, "", { location: `/login?next=${pathname}` })
          const [before, token] = [fresh(), fresh()]
          tokens.set(before, token)
          send(200, form(token), { "set-cookie": [`before=${before}; Path=/; HttpOnly`, "sid=; Max-Age=0; Path=/"] })
        }
        if (["/robots.txt", "/sitemap.xml", "/favicon.ico"].includes(pathname)) return send(404, "")
        if (pathname === "/session") {
          const given = new URLSearchParams(await bodyOf(request))
          const before = cookies.get("before") ?? ""
          const isRight =
            request.method === "POST" &&
            given.get("csrf") === tokens.get(before) &&
            given.get("email") === user &&
            given.get("password") === password &&
            given.getAll("do").join() === "enter"
          tokens.delete(before)
          if (!isRight || isLocked) {
            log.refused++
            const [again, token] = [fresh(), fresh()]
            tokens.set(again, token)
            return send(200, form(token, "Wrong user or password."), { "set-cookie": `before=${again}; Path=/` })
          }
          log.logins++
          const id = fresh()
          sessions.set(id, 0)
          return send(303, "", { location: "/members/", "set-cookie": `sid=${id}; Path=/; HttpOnly; SameSite=Lax` })
        }
        const id = cookies.get("sid") ?? ""
        const shown = sessions.get(id)
        const isOver = shown === undefined || (expiresAfter > 0 && shown >= expiresAfter)
        if (pathname === "/login" || isOver) return wall()
        if (/logout|abmelden|signout/.test(`${pathname}${searchParams}`)) {
          log.logouts++
          sessions.delete(id)
          return send(200, page("Bye"))
        }
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
        const headers: Http.OutgoingHttpHeaders = {}
        sessions.set(id, shown + 1)
        if (rotates) {
          const next = fresh()
          sessions.delete(id)
          sessions.set(next, shown + 1)
          headers["set-cookie"] = `sid=${next}; Path=/; HttpOnly`
        }
        log.pages.set(pathname, (log.pages.get(pathname) ?? 0) + 1)
        if (pathname.startsWith("/api"))
          return send(200, JSON.stringify({ items: [{ id: Number(searchParams.get("page")) }] }), {
            ...headers,
            "content-type": "application/json"
          })
        const others = links.map(([href, text]) => `<a href="${href}">${text}</a>`).join(" ")
        if (pathname === "/members/") {
          const all = Array.from({ length: members - 1 }, (_, at) => `/members/${at + 1}`)
          return send(200, page("Members", all).replace("</main>", `</main><footer>${others}</footer>`), headers)
        }
        return send(
          200,
          page(`Member ${pathname.split("/").pop()}`).replace("</main>", `</main><footer>${others}</footer>`),
          headers
        )
      })()
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      url,
      log,
      /** Refuses every sign-in from now on, and ends all sessions. */
      lock: () => {
        isLocked = true
        sessions.clear()
      },
      endSessions: () => sessions.clear()
    }
  })

/** `login` of a definition for the portal. */
export const loginOf = (url: string, more = "") => `login:
  url: ${url}/login
  fields: { email: "${user}", password: "\${{ secrets.PORTAL_PASSWORD }}" }
  submit: Enter
${more}`

export const env = { PORTAL_PASSWORD: password, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

/** Paths of all files below a folder whose bytes have one of the words. */
export const filesWith = (folder: string, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name)
    if (!statSync(path).isFile()) return false
    const bytes = readFileSync(path)
    return words.some((word) => bytes.includes(word))
  })
