/** The fingerprint of a text: what row identities and change detection are made of. */
import { hash } from "node:crypto"

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")
