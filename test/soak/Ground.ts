/** The sites of a soak: quick, slow and unreliable pages on this machine that count what they are asked for. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { page } from "../Local.ts"

/** Pages of a section: its index, and those that it links to. */
export const sectionSize = 9

export interface Ground {
  readonly url: string
  readonly asked: () => number
  readonly close: () => void
}

export const ground = (): Promise<Ground> =>
  new Promise((resolve) => {
    let asked = 0
    const server = createServer(({ url = "/" }, response) => {
      asked++
      const [, kind, name = "", number = ""] = /^\/(\w+)\/([\w-]*)\/?(\d*)$/.exec(url) ?? []
      const send = (body: string, status = 200) => response.writeHead(status, { "content-type": "text/html" }).end(body)
      switch (kind) {
        case "page":
          return void send(page(`${name} ${number}`, [], `Words of ${name} ${number}. `.repeat(60)))
        case "section": {
          const links = Array.from({ length: sectionSize - 1 }, (_, index) => `/section/${name}/${index + 1}`)
          return void send(page(`${name} ${number || "index"}`, number === "" ? links : [`/section/${name}/`]))
        }
        case "slow":
          return void setTimeout(() => send(page(`slow ${name}`)), 1_500)
        case "cut":
          response.writeHead(200, { "content-type": "text/html", "content-length": "100000" }).write("<title>Cut")
          return void setTimeout(() => response.destroy(), 20)
        default:
          return void send("", 404)
      }
    })
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        asked: () => asked,
        close: () => {
          server.close()
          server.closeAllConnections()
        }
      })
    )
  })
