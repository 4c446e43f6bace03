/** Counts the bytes of a connection that the system has accepted, including those of a write that is not complete yet. */
import type { Duplex } from "node:stream"

/**
 * Node's handle of a socket. The socket itself counts only whole writes, which may have a megabyte. Node looks at the same queue for the
 * timeout of a socket.
 */
interface Handle {
  /** Bytes that were handed over to the handle. */
  readonly bytesWritten?: number
  /** Bytes of them that the system has not accepted. */
  readonly writeQueueSize?: number
}

/** Number of bytes that the system has accepted so far; 0 for a connection that has ended. */
export const acceptedBytes = (socket: Duplex): number => {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { readonly _handle?: Handle | null })._handle ?? {}
  return bytesWritten - writeQueueSize
}
