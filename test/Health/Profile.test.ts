/** Profiles of rows: figures of each field, in bounded size, the same in parts as in one piece. */
import { describe, expect, it } from "@effect/vitest"
import { Profile } from "../../src/Health/Profile.ts"

type Row = Readonly<Record<string, unknown>>

const profileOf = (rows: Iterable<Row>) => {
  const profile = new Profile()
  for (const row of rows) profile.add(row)
  return profile
}

const many = (count: number, row: (n: number) => Row) => Array.from({ length: count }, (_, n) => row(n))

const product = (n: number): Row => ({
  url: `https://shop.example/p/${n}`,
  title: `Product ${n}`,
  price: 10 + (n % 90),
  stock: n % 4 === 0 ? null : n,
  listed: "2026-03-01",
  tags: n % 2 === 0 ? [] : ["a", "b"],
  metadata: { title: `Product ${n}`, statusCode: 200 }
})

describe("a profile of rows", () => {
  it("has the fill rate, types, lengths and numbers of each field, and those of objects in it", () => {
    const { fields, rows } = profileOf(many(400, product)).metrics()
    expect(rows).toBe(400)
    expect(Object.keys(fields).sort()).toEqual(
      ["listed", "metadata", "metadata.statusCode", "metadata.title", "price", "stock", "tags", "title", "url"].sort()
    )
    expect(fields.url).toMatchObject({ fill: 1, types: { link: 1 }, repeated: 0, numbers: [] })
    expect(fields.stock?.fill).toBeCloseTo(0.75)
    expect(fields.tags).toMatchObject({ fill: 0.5, types: { array: 1 }, lengths: [2, 2, 2, 2, 2] })
    expect(fields.listed).toMatchObject({ types: { date: 1 }, distinct: 1 })
    expect(fields.price?.types).toEqual({ number: 1 })
    expect(fields.price?.numbers[0]).toBe(10)
    expect(fields.price?.numbers.at(-1)).toBeGreaterThan(95)
    expect(fields["metadata.statusCode"]?.numbers).toEqual([200, 200, 200, 200, 200])
  })

  it("tells numbers in strings, markup and broken encodings from text", () => {
    const rows = many(100, (n) => ({
      price: `1,${n}00.50`,
      body: `<p>${n}</p>`,
      name: n % 4 === 0 ? `CafÃ© ${n}` : `Café ${n}`
    }))
    const { fields } = profileOf(rows).metrics()
    expect(fields.price?.types).toEqual({ numeric: 1 })
    expect(fields.body?.types).toEqual({ markup: 1 })
    expect(fields.name?.garbled).toBeCloseTo(0.25)
  })

  it("counts values that came more than once, also in a part of the rows of a long run", () => {
    const half = many(4_000, (n) => ({ title: n < 2_000 ? `Title ${n}` : "Just a moment..." }))
    expect(Math.abs((profileOf(half).metrics().fields.title?.repeated ?? 0) - 0.5)).toBeLessThan(0.1)
    const twice = [...many(100, product), ...many(100, product)]
    expect(profileOf(twice).metrics().fields.title).toMatchObject({ repeated: 1, distinct: 100 })
  })

  it("measures a long run in a small part of its rows, and is right all the same", () => {
    const count = 100_000
    const profile = new Profile()
    for (let n = 0; n < count; n++) profile.add(product(n))
    const { fields, measured, rows } = profile.metrics()
    expect(rows).toBe(count)
    expect(measured).toBeLessThan(5_000)
    expect(Math.abs((fields.stock?.fill ?? 0) - 0.75)).toBeLessThan(0.05)
    expect(Math.abs((fields.price?.numbers[2] ?? 0) / 54.5 - 1)).toBeLessThan(0.15)
    expect(JSON.stringify(profile.encode()).length).toBeLessThan(120_000)
  })

  it("keeps at most 200 fields", () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field ${n}`, n]))
    expect(Object.keys(profileOf([wide]).metrics().fields)).toHaveLength(200)
  })

  it("keeps the fields that have a rule beside them", () => {
    const profile = new Profile()
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field ${at}`, at]))
    profile.ruled = new Set(["field 900"])
    for (let n = 0; n < 10; n++) profile.add(wide)
    expect(profile.metrics().fields["field 900"]?.fill).toBe(1)
    expect(Object.keys(profile.metrics().fields)).toHaveLength(201)
    const merged = new Profile()
    merged.merge(Profile.decode(profile.encode()))
    expect(merged.metrics().fields["field 900"]?.fill).toBe(1)
  })

  it("is continued from the form in which it is saved as if it had never been interrupted", () => {
    for (const at of [0, 1, 499, 501, 3_000]) {
      const rows = many(4_000, product)
      const saved: unknown = JSON.parse(JSON.stringify(profileOf(rows.slice(0, at)).encode()))
      const resumed = Profile.decode(saved as ReturnType<Profile["encode"]>)
      for (const row of rows.slice(at)) resumed.add(row)
      const exact = (profile: Profile) =>
        Object.entries(profile.metrics().fields).map(([name, { lengths: _, numbers: __, ...rest }]) => [name, rest])
      expect(exact(resumed)).toEqual(exact(profileOf(rows)))
    }
  })

  it("of two parts is that of the whole, up to the error of the measurement", () => {
    const rows = many(4_000, product)
    const merged = profileOf(rows.slice(0, 1_500))
    merged.merge(profileOf(rows.slice(1_500)))
    const [one, other] = [merged.metrics(), profileOf(rows).metrics()]
    expect(one.rows).toBe(other.rows)
    for (const [name, field] of Object.entries(other.fields)) {
      expect(Math.abs((one.fields[name]?.fill ?? 0) - field.fill)).toBeLessThan(0.05)
      expect(one.fields[name]?.types).toEqual(field.types)
    }
  })

  it("names the columns without a value, also of two parts and after it was saved", () => {
    const whole = profileOf([{ a: null, b: "", c: [], d: 0, nested: { e: null, f: 1 } }])
    whole.merge(profileOf([{ a: 1, g: null }]))
    const { empty, fields } = Profile.decode(whole.encode()).metrics()
    expect(empty).toEqual(["b", "c", "nested.e", "g"])
    expect(Object.keys(fields)).toEqual(["d", "nested", "nested.f", "a"])
  })

  it("names no column as empty that may have values beyond the 200 fields", () => {
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field ${n}`, n]))
    const first = profileOf([{ ...wide, late: null }, { late: "here" }])
    expect(first.metrics().empty).toBeUndefined()
    expect(first.encode().empty).toBeUndefined()
    const merged = profileOf([{ late: null }])
    merged.merge(profileOf([{ ...wide, late: "here" }]))
    expect(merged.metrics().empty).toBeUndefined()
    expect(Profile.decode(merged.encode()).metrics().empty).toBeUndefined()
  })

  it("of no rows says so", () => {
    expect(new Profile().metrics()).toEqual({ rows: 0, measured: 0, fields: {} })
  })
})
