/** SHA-256 of a string, for row identities and change detection. */
import { hash } from "node:crypto"

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")
