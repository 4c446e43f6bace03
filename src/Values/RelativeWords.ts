/** Phrases for relative dates in a language ("2 days ago", "in 3 weeks", "yesterday"), derived from the formats of Intl. */
import { variantsOf, wordKey } from "./DateWords.ts"
import { remember } from "./Remember.ts"
import { plainText } from "./Text.ts"

export const units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const

export type Unit = (typeof units)[number]

export interface Distance {
  readonly unit: Unit
  /** 1 for the future, -1 for the past. A phrase that includes a number has that number: `yesterday` is -1 day. */
  readonly sign: number
}

/** Text before and after an amount that gives the direction: `in …`, `… ago`. */
interface Marker {
  readonly before: string
  readonly after: string
  readonly sign: number
}

export interface RelativeWords {
  /** Phrases with `#` in place of the number. */
  readonly phrases: ReadonlyMap<string, Distance>
  /** Amounts without a direction, with `#` in place of the number: `#days`. */
  readonly units: ReadonlyMap<string, Unit>
  /** Phrases without digits: `yesterday`, `lastmonth`; `преди час` means one hour. */
  readonly named: ReadonlyMap<string, Distance>
  readonly markers: ReadonlyArray<Marker>
  /** Words that connect amounts: `and`. */
  readonly joins: ReadonlyArray<string>
  /** Numbers written as words. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Form for comparing phrases: in lower case, without accents, spaces and punctuation. */
export const phraseKey = (text: string): string => wordKey(text).replace(/[\s,'"()]/g, "")

/** Directions besides those of CLDR: text before and after the amount (`…`), then `+` for the future or `-` for the past. */
const moreMarkers: Readonly<Record<string, string>> = {
  en: "…fromnow+ …later+ …hence+ in…time+ after…+ …before- …earlier- …back- …agoon- …inthepast- past…- last…- next…+",
  es: "…atras- hace…atras- hace- dentrode…+ en…+ …despues+ …antes- hace…- desdehace…- hacemasde…-",
  pt: "…atras- ha…- haviauns- ha…atras- daquia…+ em…+ dentrode…+ …depois+ …antes- faz…-",
  fr: "ilya…- dans…+ …plustard+ …plustot- …avant- …apres+ depuis…-",
  it: "…fa- tra…+ fra…+ …dopo+ …prima-",
  de: "vor…- in…+ …her- …zuvor- …spater+ nach…+ seit…-",
  nl: "…geleden- over…+ …later+ …eerder- …terug-",
  sv: "for…sedan- om…+ …sedan- …sen-",
  da: "for…siden- om…+ …siden-",
  nb: "for…siden- om…+ …siden-",
  fi: "…sitten- …kuluttua+ …paasta+",
  pl: "…temu- za…+ przed…- po…+",
  cs: "pred…- za…+ …zpatky- …nazpet- po…+",
  sk: "pred…- o…+ za…+ dozadu…- …dozadu- …spat-",
  ru: "…назад- …томуназад- через…+ …спустя+ спустя…+",
  uk: "…тому- …томуназад- через…+ за…+",
  be: "…таму- …таманазад- …назад- …таманазад- …тамуназад- праз…+",
  bg: "преди…- след…+",
  mk: "пред…- за…+",
  sr: "пре…- за…+ pre…- za…+",
  hr: "prije…- za…+",
  bs: "prije…- za…+",
  sl: "pred…- cez…+",
  ro: "acum…- inurmacu…- peste…+ in…+ dupa…+",
  hu: "…ezelott- …mulva+ …telt- …ota-",
  el: "πριν…- πριναπο…- σε…+",
  tr: "…once- …sonra+ …evvel- …icinde+",
  ar: "منذ…- قبل…- خلال…+ بعد…+",
  he: "לפני…- בעוד…+",
  fa: "…پیش- …قبل- …بعد+ …دیگر+",
  hi: "…पहले- …पूर्व- …बाद+ …में+",
  bn: "…আগে- …পূর্বে- …পর+ …পরে+ …মধ্যে+",
  id: "…lalu- …yanglalu- dalam…+ …lagi+",
  ms: "…lalu- …yanglalu- dalam…+ …lagi+",
  fil: "…nakalipas- …angnakalipas- …angnakaraan- sa…+",
  vi: "…truoc- sau…nua+ …nua+ trong…+",
  et: "…tagasi- …eest- …parast+",
  lt: "pries…- po…+ uz…+",
  lv: "pirms…- pec…+",
  th: "…ที่แล้ว- …ที่ผ่านมา- …มาแล้ว- …ก่อน- อีก…+ ใน…+ ในอีก…+",
  zh: "…前- …以前- …之前- …后+ …後+ …以后+ …之后+ …以後+ …內+ …内+",
  ja: "…前- …後+ …以内+",
  ko: "…전- …후+ …뒤+",
  ka: "…წინ- …ში+",
  az: "…evvel- …sonra+",
  kk: "…бурын- …кейін+"
}

/** Names of days that CLDR does not have. */
const moreNames: Readonly<Record<string, string>> = {
  en: "daybeforeyesterday=-2day dayaftertomorrow=2day justnow=0second rightnow=0second amomentago=0second momentsago=0second afewsecondsago=0second now=0second thedaybeforeyesterday=-2day thedayaftertomorrow=2day tonight=0day lastnight=-1day",
  es: "antier=-2day ayer=-1day ahora=0second ahoramismo=0second recien=0second",
  pt: "antesdeontem=-2day agora=0second agoramesmo=0second",
  fr: "alinstant=0second maintenant=0second",
  de: "geradeeben=0second soeben=0second jetzt=0second vorhin=0second",
  it: "laltroieri=-2day adesso=0second ora=0second",
  nl: "zonet=0second zojuist=0second nu=0second",
  ru: "толькочто=0second сейчас=0second позавчера=-2day",
  uk: "щойно=0second зараз=0second сьогодні=0day",
  be: "сёння=0day учора=-1day пазаучора=-2day",
  pl: "terazi=0second przedchwila=0second teraz=0second",
  th: "เมื่อวานนี้=-1day เมื่อวาน=-1day",
  zh: "刚刚=0second 剛剛=0second 刚才=0second 今日=0day 昨日=-1day",
  ja: "たった今=0second 一昨日=-2day おととい=-2day 昨日=-1day きのう=-1day 今日=0day 明日=1day",
  ko: "방금=0second 그제=-2day 그저께=-2day",
  tr: "azonce=0second simdi=0second evvelsigun=-2day",
  vi: "vuaxong=0second homkia=-2day",
  ka: "ახლა=0second"
}

/** Units that CLDR does not have. */
const moreUnits: Readonly<Record<string, string>> = {
  en: "mon=month mons=month mos=month mths=month hrs=hour secs=second mins=minute yrs=year wks=week",
  bn: "ঘন্টা=hour",
  de: "Std=hour Min=minute Sek=second Wo=week Mon=month J=year",
  pl: "godz=hour mies=month tyg=week",
  ru: "ч=hour час=hour мин=minute сек=second дн=day нед=week мес=month",
  uk: "год=hour хв=minute сек=second дн=day тиж=week міс=month",
  ro: "desecunde=second deminute=minute deore=hour dezile=day desaptamani=week deluni=month deani=year"
}

/** Numbers from one upwards; `/` separates forms of the same number. */
const numberWords: Readonly<Record<string, string>> = {
  en: "a/an/one two three four five six seven eight nine ten eleven twelve",
  de: "ein/eine/einer/einem/einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  fr: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
  es: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
  it: "un/una/uno due tre quattro cinque sei sette otto nove dieci undici dodici",
  pt: "um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze",
  nl: "een/één twee drie vier vijf zes zeven acht negen tien elf twaalf",
  sv: "en/ett två tre fyra fem sex sju åtta nio tio elva tolv",
  da: "en/et to tre fire fem seks syv otte ni ti elleve tolv",
  nb: "en/et/ei to tre fire fem seks sju åtte ni ti elleve tolv",
  ru: "один/одну/одна/одного два/две три четыре пять шесть семь восемь девять десять",
  uk: "один/одну/одна два/дві три чотири п'ять шість сім вісім дев'ять десять",
  be: "адзін/адну/адна два/дзве тры чатыры пяць",
  bg: "един/една/едно два/две три четири пет шест седем осем девет десет",
  mk: "еден/една/едно два/две три четири пет",
  sr: "један/једну/једна/jedan/jednu/jedna два/две/dva/dve три/tri четири/četiri пет/pet",
  hr: "jedan/jednu/jedna/jednog dva/dvije tri četiri pet",
  pl: "jeden/jedną/jedna/jedno dwa/dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć",
  cs: "jeden/jednu/jedna/jedno/jedním dva/dvě tři čtyři pět šest sedm osm devět deset",
  sk: "jeden/jednu/jedna/jedným dva/dve tri štyri päť šesť sedem osem deväť desať",
  sl: "en/ena/eno/enim dve/dva tri štiri pet",
  ro: "un/o/una doi/două trei patru cinci șase șapte opt nouă zece",
  hu: "egy két/kettő három négy öt hat hét nyolc kilenc tíz",
  fi: "yksi/yhden kaksi/kahden kolme/kolmen neljä/neljän viisi/viiden",
  et: "üks/ühe kaks/kahe kolm/kolme neli/nelja viis/viie",
  lv: "viens/viena/vienas/vienu divi/divas/divām/diviem trīs četri pieci",
  lt: "vienas/viena/vieną du/dvi trys/tris keturi penki",
  el: "ένα/μία/μια/έναν δύο/δυο τρία/τρεις τέσσερα/τέσσερις πέντε έξι επτά/εφτά οκτώ εννέα δέκα",
  tr: "bir iki üç dört beş altı yedi sekiz dokuz on",
  id: "satu/se dua tiga empat lima enam tujuh delapan sembilan sepuluh",
  ms: "satu/se dua tiga empat lima",
  vi: "một hai ba bốn năm sáu bảy tám chín mười",
  fil: "isang/isa dalawang tatlong apat limang",
  ca: "un/una dos/dues tres quatre cinc sis set vuit nou deu",
  hi: "एक दो तीन चार पाँच",
  bn: "এক/একটি দুই তিন চার পাঁচ",
  ar: "واحد/واحدة",
  fa: "یک دو سه چهار پنج",
  zh: "一 二/两/兩 三 四 五 六 七 八 九 十 十一 十二",
  ja: "一 二 三 四 五 六 七 八 九 十 十一 十二",
  ko: "한/일 두/이 세/삼 네 다섯"
}

/** Numbers that together use every plural form of any language. */
const samples = [1, 2, 3, 5, 6, 8, 11, 20, 21, 100, 1_000_000]

const commonStart = (texts: ReadonlyArray<string>): string => {
  const [first = ""] = texts
  let length = first.length
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

const commonEnd = (texts: ReadonlyArray<string>): string =>
  Array.from(commonStart(texts.map((text) => Array.from(text).reverse().join(""))))
    .reverse()
    .join("")

const build = (locale: string): RelativeWords => {
  const language = new Intl.Locale(locale).language
  const phrases = new Map<string, Distance>()
  const bare = new Map<string, Unit>()
  const named = new Map<string, Distance>()
  const implied = new Map<string, Distance>()
  const numberless = new Map<string, Distance>()
  const markers: Array<Marker> = []
  const add = <A>(map: Map<string, A>, key: string, value: A) => {
    if (key !== "" && key !== "#" && !map.has(key)) map.set(key, value)
  }
  // A word for two days, such as `कल` in Hindi, is left out.
  const twice = new Set<string>()
  const name = (key: string, distance: Distance) => {
    const other = named.get(key)
    if (other !== undefined && (other.unit !== distance.unit || other.sign !== distance.sign)) twice.add(key)
    add(named, key, distance)
  }
  for (const variant of variantsOf(locale)) {
    const latin = `${variant}-u-nu-latn`
    for (const style of ["long", "short", "narrow"] as const) {
      const format = new Intl.RelativeTimeFormat(latin, { style })
      const words = new Intl.RelativeTimeFormat(latin, { style, numeric: "auto" })
      for (const sign of [-1, 1]) {
        const keys: Array<string> = []
        for (const unit of units) {
          for (const sample of samples) {
            const parts = format.formatToParts(sign * sample, unit)
            const text = parts.map(({ type, value }) => (type === "literal" ? value : "#")).join("")
            const key = phraseKey(plainText(text)).replace(/#+/g, "#")
            // Hebrew adds the number in brackets: `לפני שעתיים (2)`.
            const inBrackets = /\(#+\)/.test(text) ? phraseKey(plainText(text.replace(/\(#+\)/, ""))) : ""
            if (inBrackets !== "") name(inBrackets, { unit, sign: sign * sample })
            // Languages with a dual omit the number: `לפני שעתיים` means two hours.
            if (!key.includes("#")) {
              name(key, { unit, sign: sign * sample })
              add(numberless, key, { unit, sign: sign * sample })
            }
            if (!key.includes("#") || /^[+−-]/.test(key)) continue
            add(phrases, key, { unit, sign })
            if (sample === 1) add(implied, key.replace("#", ""), { unit, sign })
            keys.push(key)
          }
        }
        const before = commonStart(keys.map((key) => key.split("#")[0] ?? ""))
        const after = commonEnd(keys.map((key) => key.split("#")[1] ?? ""))
        if (before !== "" || after !== "") markers.push({ before, after, sign })
      }
      for (const unit of units) {
        for (const offset of [0, -1, 1, -2, 2, -3, 3]) {
          const text = words.format(offset, unit)
          if (!/\p{Nd}/u.test(text)) name(phraseKey(plainText(text)), { unit, sign: offset })
        }
      }
    }
    for (const unitDisplay of ["long", "short", "narrow"] as const) {
      for (const unit of units) {
        if (unit === "quarter") continue
        const format = new Intl.NumberFormat(latin, { style: "unit", unit, unitDisplay, useGrouping: false })
        for (const sample of samples) {
          const parts = format.formatToParts(sample)
          const text = parts.map(({ type, value }) => (type === "integer" ? "#" : value)).join("")
          if (text.includes("#")) add(bare, phraseKey(plainText(text)), unit)
        }
      }
    }
  }
  for (const each of (moreMarkers[language] ?? "").split(" ")) {
    const [before = "", after = ""] = each.slice(0, -1).split("…")
    if (each !== "")
      markers.push({ before: phraseKey(before), after: phraseKey(after), sign: each.endsWith("+") ? 1 : -1 })
  }
  // Without its marker, a phrase is the unit in the case that the marker requires: `dny` in `před 2 dny`.
  for (const [phrase, { unit, sign }] of phrases) {
    for (const marker of markers) {
      if (marker.sign === sign && isMarked(phrase, marker)) add(bare, unmarked(phrase, marker), unit)
    }
  }
  for (const each of (moreUnits[language] ?? "").split(" ")) {
    const [name = "", unit] = each.split("=")
    const found = units.find((known) => known === unit)
    if (found !== undefined) add(bare, `#${phraseKey(name)}`, found)
  }
  for (const each of (moreNames[language] ?? "").split(" ")) {
    const [, name, number, unit] = /^(.*)=(-?\d)(.*)$/.exec(each) ?? []
    const found = units.find((known) => known === unit)
    if (name !== undefined && found !== undefined) add(named, phraseKey(name), { unit: found, sign: Number(number) })
  }
  // Other markers can replace the marker of such a phrase: `قبل يومين`, `منذ يومين`.
  for (const [key, distance] of [...numberless, ...implied]) {
    const ofSign = markers.filter((marker) => marker.sign === Math.sign(distance.sign))
    for (const marker of ofSign.filter((each) => isMarked(key, each))) {
      const form = unmarked(key, marker)
      for (const { before, after } of ofSign) add(implied, before + form + after, distance)
    }
  }
  for (const [key, distance] of implied) if (!bare.has(`#${key}`) && !bare.has(`${key}#`)) add(named, key, distance)
  for (const key of twice) named.delete(key)
  return { phrases, units: bare, named, markers, joins: joinsOf(locale), numbers: numbersOf(language) }
}

export const isMarked = (phrase: string, { before, after }: Marker): boolean =>
  phrase.length > before.length + after.length && phrase.startsWith(before) && phrase.endsWith(after)

export const unmarked = (phrase: string, { before, after }: Marker): string =>
  phrase.slice(before.length, phrase.length - after.length)

const joinsOf = (locale: string): ReadonlyArray<string> =>
  new Intl.ListFormat(locale, { type: "conjunction" })
    .formatToParts(["1", "2"])
    .flatMap(({ type, value }) => (type === "literal" ? phraseKey(plainText(value)) : []))
    .filter((word) => word !== "")

const numbersOf = (language: string): ReadonlyMap<string, number> =>
  new Map(
    (numberWords[language] ?? "")
      .split(" ")
      .flatMap((forms, index) => forms.split("/").map((form) => [wordKey(form), index + 1] as const))
      .filter(([form]) => form !== "")
  )

/** Words of a locale, from Intl. Built at first use of the locale, which takes about 15 ms. */
export const relativeWords = remember(100, build)
