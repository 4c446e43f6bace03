/**
 * Bounds the connections of a server without shutting anybody out: when there are too many, the one that has been idle for longest is
 * closed for the new one. A connection that never sends a request is idle from the start; one that waits for an answer never is. Where all
 * of them wait for answers, the new one is closed.
 */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { safely } from "../Callback.ts"

export const bound = (server: Server, most: number): void => {
  /** The one that has been idle for longest is first. */
  const idle = new Set<Socket>()
  const open = new Set<Socket>()
  server.on(
    "connection",
    safely((socket) => {
      socket.once(
        "close",
        safely(() => {
          open.delete(socket)
          idle.delete(socket)
        })
      )
      if (open.size >= most) {
        const [longest] = idle
        if (longest === undefined) return socket.destroy()
        open.delete(longest)
        idle.delete(longest)
        longest.destroy()
      }
      open.add(socket)
      idle.add(socket)
    })
  )
  server.on(
    "request",
    safely(({ socket }, response) => {
      idle.delete(socket)
      response.once(
        "close",
        safely(() => {
          if (open.has(socket)) idle.add(socket)
        })
      )
    })
  )
}
