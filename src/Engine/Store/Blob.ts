/** Bytes as the driver gives them. */

/** Blobs come as an ArrayBuffer; from other drivers as a view. */
export const view = (body: ArrayBuffer | Uint8Array): Buffer =>
  body instanceof ArrayBuffer ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
