/** Who is at the other end of a connection within this machine: a program of our own user, or somebody else's. */
import { readFileSync } from "node:fs"
import type { Socket } from "node:net"

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** `sl local remote state tx:rx timer retransmits uid …` of the end that dialled. */
const row = (local: number, remote: number): RegExp =>
  new RegExp(`^ *\\d+: 0100007F:${hex(local)} 0100007F:${hex(remote)} \\w\\w \\S+ \\S+ \\S+ +(\\d+) `, "m")

/** Only Linux says whose a connection is; elsewhere nobody is taken for a stranger. */
export const isStranger = ({ localPort = 0, remoteAddress, remotePort = 0 }: Socket): boolean => {
  if (process.platform !== "linux") return false
  // From another address of the machine itself anybody may dial with a port that a program of ours has here.
  if (remoteAddress !== "127.0.0.1") return true
  try {
    const uid = row(remotePort, localPort).exec(readFileSync("/proc/net/tcp", "latin1"))?.[1]
    return uid === undefined || Number(uid) !== process.getuid?.()
  } catch {
    return false
  }
}
