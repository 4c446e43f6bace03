/** SOCKS5 client (RFC 1928) with user name and password (RFC 1929): opens a tunnel through a proxy to which the socket is connected. */
import { isIPv4, isIPv6, type Socket } from "node:net"
import ipaddr from "ipaddr.js"
import { safely } from "../../Callback.ts"
import { TunnelRefused } from "./FetchFailure.ts"

interface Credentials {
  readonly username: string
  readonly password: string
}

const version = 5
const noSignIn = 0
const passwordSignIn = 2

/** Replies of a proxy (RFC 1928, 6) that are caused by the site: another address of the site, or another proxy, may work. */
const siteReplies: Readonly<Record<number, string>> = {
  2: "SOCKS 2: not allowed there",
  3: "SOCKS 3: network unreachable",
  4: "SOCKS 4: host unreachable",
  5: "SOCKS 5: connection refused",
  6: "SOCKS 6: timed out",
  8: "SOCKS 8: address type not supported"
}

const prefixed = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new TunnelRefused("a name of more than 255 bytes", "site", false)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

const addressOf = (host: string): Buffer => {
  if (isIPv4(host)) return Buffer.from([1, ...ipaddr.parse(host).toByteArray()])
  if (isIPv6(host)) return Buffer.from([4, ...ipaddr.parse(host).toByteArray()])
  return Buffer.concat([Buffer.from([3]), prefixed(host)])
}

/** Reads exact numbers of bytes, so that the bytes after the handshake stay in the socket. */
const reader = (socket: Socket) => (count: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const settle = (work: () => void) => {
      socket.off("readable", onReadable).off("error", onError).off("close", onClose)
      work()
    }
    const onReadable = safely(() => {
      const bytes: Buffer | null = socket.read(count)
      if (bytes !== null && bytes.length === count) settle(() => resolve(bytes))
      else if (bytes !== null) settle(() => reject(new Error("the proxy closed the connection")))
    }, reject)
    const onError = safely((cause: Error) => settle(() => reject(cause)), reject)
    const onClose = safely(() => settle(() => reject(new Error("the proxy closed the connection"))), reject)
    socket.on("readable", onReadable).on("error", onError).on("close", onClose)
    onReadable()
  })

/** Opens a tunnel to a host, which is an address or a name. Rejects with `TunnelRefused` if the proxy refuses with a reason. */
export const openTunnel = async (
  socket: Socket,
  { password, username }: Credentials,
  host: string,
  port: number
): Promise<void> => {
  const read = reader(socket)
  const isSigned = username !== "" || password !== ""
  socket.write(Buffer.from(isSigned ? [version, 2, noSignIn, passwordSignIn] : [version, 1, noSignIn]))
  const [speaks, method] = await read(2)
  if (speaks !== version) throw new TunnelRefused("it does not speak SOCKS5", "proxy", false)
  if (method === passwordSignIn && isSigned) {
    socket.write(Buffer.concat([Buffer.from([1]), prefixed(username), prefixed(password)]))
    const [, status] = await read(2)
    if (status !== 0)
      throw new TunnelRefused("SOCKS: the proxy does not accept the user name and password", "proxy", false)
  } else if (method !== noSignIn) throw new TunnelRefused("SOCKS: the proxy requires a sign-in", "proxy", false)
  const target = Buffer.from([port >> 8, port & 255])
  socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(host), target]))
  const [, reply = 1, , type, first = 0] = await read(5)
  if (reply !== 0) {
    const answer = siteReplies[reply]
    throw new TunnelRefused(answer ?? `SOCKS ${reply}`, answer === undefined ? "proxy" : "site", reply >= 3)
  }
  // Skip the rest of the bound address, of which one byte has been read, and its port.
  await read((type === 1 ? 3 : type === 4 ? 15 : first) + 2)
}
