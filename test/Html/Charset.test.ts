import { describe, expect, it } from "@effect/vitest"
import iconv from "iconv-lite"
import { decodeText } from "../../src/Html/Charset.ts"

const decode = (text: string, charset: string, contentType?: string) =>
  decodeText(iconv.encode(text, charset), contentType)

describe("Charset", () => {
  it("trusts a byte order mark above all", () => {
    for (const charset of ["utf8", "utf16le", "utf16be"]) {
      const bytes = iconv.encode("<p>Grüße 漢字</p>", charset, { addBOM: true })
      expect(decodeText(bytes, "text/html; charset=shift_jis").text, charset).toBe("<p>Grüße 漢字</p>")
    }
  })

  it("does not accept names of object properties as charsets", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"]) {
      for (const label of [name, name.toUpperCase()]) {
        expect(decodeText(Buffer.from("<p>Grüße</p>"), `text/html; charset=${label}`).text).toBe("<p>Grüße</p>")
        expect(decodeText(Buffer.from(`<meta charset="${label}"><p>Grüße</p>`), undefined).text).toContain("Grüße")
      }
    }
  })

  it("detects UTF-16 without a byte order mark", () => {
    expect(decode("<p>漢字</p>", "utf16le").text).toBe("<p>漢字</p>")
    expect(decode("<p>漢字</p>", "utf16be").text).toBe("<p>漢字</p>")
  })

  it("reads the header, then the page", () => {
    expect(decode("Привет", "windows-1251", "text/html; Charset='windows-1251'").text).toBe("Привет")
    expect(decode('<meta charset="euc-kr">안녕', "euc-kr")).toEqual({
      text: '<meta charset="euc-kr">안녕',
      charset: "euc-kr"
    })
    expect(
      decode('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">漢字', "shift_jis").text
    ).toContain("漢字")
    expect(decode('<?xml version="1.0" encoding="iso-8859-2"?><p>łąka</p>', "iso-8859-2").text).toContain("łąka")
    expect(decode("<meta charset=gb2312>汉字", "gbk").text).toContain("汉字")
    expect(decodeText(Buffer.from("<meta charset=ISO-2022-JP>\x1b$B4A;z\x1b(B"), undefined).text).toContain("漢字")
  })

  it("prefers the bytes to an impossible declaration", () => {
    expect(decode("<meta charset=iso-8859-1>Grüße", "utf8").charset).toBe("utf-8")
    expect(decode("<meta charset=gbk>汉字汉字", "utf8").text).toContain("汉字")
    expect(decode("<meta charset=utf-16>x", "utf8").text).toContain("x")
    expect(decode("Grüße für alle Fälle", "latin1", "text/html; charset=utf-8").text).toBe("Grüße für alle Fälle")
  })

  it("replaces a broken byte in what is otherwise UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from("Grüße, schöne Größe, Übermut, ".repeat(5)), Buffer.from([0xff])])
    expect(decodeText(bytes, "text/html; charset=utf-8")).toMatchObject({ charset: "utf-8" })
  })

  it("searches for a declaration in linear time", () => {
    const head = Buffer.from(`${"<meta".repeat(270)} charset=${" ".repeat(2_700)}`)
    const before = process.cpuUsage()
    decodeText(head, `text/html; charset=${" ".repeat(16_000)};`)
    const { user, system } = process.cpuUsage(before)
    // A few milliseconds; with backtracking it would take seconds.
    expect((user + system) / 1000).toBeLessThan(300)
  })

  it("falls back to the bytes themselves", () => {
    expect(decode("Grüße", "utf8")).toEqual({ text: "Grüße", charset: "utf-8" })
    expect(decode("Grüße", "latin1")).toEqual({ text: "Grüße", charset: "windows-1252" })
    for (const name of ["no-such", "hex", "base64", "binary"])
      expect(decode("Grüße", "utf8", `text/html; charset=${name}`).charset).toBe("utf-8")
    for (const name of ["hex", "base64"]) expect(decode("abc", "utf8", `text/html; charset=${name}`).text).toBe("abc")
    expect(decodeText(new Uint8Array(), undefined).text).toBe("")
  })
})
