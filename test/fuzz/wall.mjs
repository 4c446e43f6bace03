/**
 * Loaded before an engine that is sent nonsense (`node --import`): no name but localhost is ever looked up, no address
 * but this machine's is ever connected to; every attempt is reported on stderr.
 */
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import "./loop.mjs"

const isLocal = (host) => host === "localhost" || host.endsWith(".localhost")
const isLoopback = (host) => /^(::ffff:)?127\.|^::1$/.test(host)

dns.lookup = (host, options, callback = options) => {
  const all = typeof options === "object" && options.all === true
  const family = net.isIP(host)
  const address = family > 0 ? host : isLocal(host) ? "127.0.0.1" : undefined
  process.nextTick(() => {
    if (address === undefined)
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }))
    else if (all) callback(null, [{ address, family: family || 4 }])
    else callback(null, address, family || 4)
  })
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...given) {
  // Node itself passes all arguments as one array.
  const [first, second] = Array.isArray(given[0]) ? given[0] : given
  const { host = "localhost", path } =
    typeof first === "object" ? first : { host: typeof second === "string" ? second : undefined }
  if (path !== undefined || isLocal(host) || isLoopback(host) || net.isIP(host) === 0) return connect.apply(this, given)
  process.stderr.write(`WALL ${host} was dialled\n`)
  process.nextTick(() => this.destroy(new Error("nothing leaves this machine")))
  return this
}
syncBuiltinESMExports()
