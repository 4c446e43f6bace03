/** Returns a blob column as a Buffer, without copying. SQLite returns an ArrayBuffer, other drivers a typed array. */
export const view = (body: ArrayBuffer | Uint8Array): Buffer =>
  body instanceof ArrayBuffer ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
