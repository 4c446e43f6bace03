/** Identifies the user behind a loopback connection: the engine's own or another one. */
import { readFileSync } from "node:fs"
import type { Socket } from "node:net"

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Line of `/proc/net/tcp` for the connecting end: `sl local remote state tx:rx timer retransmits uid …`. */
const row = (local: number, remote: number): RegExp =>
  new RegExp(`^ *\\d+: 0100007F:${hex(local)} 0100007F:${hex(remote)} \\w\\w \\S+ \\S+ \\S+ +(\\d+) `, "m")

/** True when another user opened the connection. Always false outside of Linux, which alone exposes the owner. */
export const isStranger = ({ localPort = 0, remoteAddress, remotePort = 0 }: Socket): boolean => {
  if (process.platform !== "linux") return false
  // From another local address, another user could connect with the same port number as a process of ours on 127.0.0.1.
  if (remoteAddress !== "127.0.0.1") return true
  try {
    const uid = row(remotePort, localPort).exec(readFileSync("/proc/net/tcp", "latin1"))?.[1]
    return uid === undefined || Number(uid) !== process.getuid?.()
  } catch {
    return false
  }
}
