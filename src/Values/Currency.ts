/** Currencies by code, symbol and name: all codes of ISO 4217, and what shops write instead. */
import { remember } from "./Remember.ts"
import { folded } from "./Text.ts"

/**
 * One currency per line: `CODE symbol name …`; `_` stands for a space. Codes alone need no line, because Intl knows them. A symbol on
 * several lines has several meanings, and the region of the locale chooses one. A symbol after `~` has this meaning only in its region: `£`
 * is GBP except in Egypt.
 */
const table = `
AED د.إ درهم_إماراتي dirham dirhams درهم Dh Dhs DH
AFN ؋ Af افغانی afghani
ALL Lek Lekë lek lekë ~L
AMD ֏ դրամ др. dram
ANG ƒ NAf. NAƒ guilder
AOA Kz kwz kwanza kwanzas
ARS $ AR$ ARS$ AU$S peso pesos
AUD $ A$ AU$ AUD$ dollar dollars $AU
AWG ƒ Afl. Afl florin
AZN ₼ manat ман. man.
BAM KM КМ marka maraka
BBD $ Bds$ BBD$ dollar dollars
BDT ৳ Tk টাকা taka
BGN лв лв. лева лев lv
BHD د.ب BD دينار_بحريني دينار dinar dinars
BIF FBu Fbu franc francs
BMD $ BD$ dollar dollars
BND $ B$ dollar dollars
BOB Bs Bs. $b boliviano bolivianos
BRL R$ real reais
BSD $ B$ dollar dollars
BTC ₿ Ƀ bitcoin bitcoins
BTN Nu. Nu ngultrum
BWP ~P pula
BYN Br бел.руб ~р. ~р ~руб ~руб. ~рубль ~рублей ~рубля
BZD $ BZ$ dollar dollars
CAD $ C$ CA$ CAD$ CAN$ Can$ CDN$ CND dollar dollars $CA
CDF FC franc francs
CHF Fr. Fr SFr sFr. SFr. CHf Franken franc francs franchi
CLP $ CLP$ CL$ peso pesos
CNY ¥ ￥ CN¥ RMB 元 圆 人民币 人民幣 yuan renminbi
COP $ COL$ CO$ COP$ peso pesos
CRC ₡ ~¢ colón colones
CUC CUC$ $
CUP $ $MN ~₱ peso pesos
CVE Esc Esc. escudo escudos
CZK Kč kč KČ Kc korun koruna koruny korún
DJF Fdj franc francs
DKK kr kr. krone kroner Kr
DOP RD$ $ peso pesos
DZD دج د.ج DA دينار_جزائري دينار dinar dinars
EGP ~£ E£ LE ج.م جنيه جنيه_مصري جنيها ~pound ~pounds
ERN Nfk ናቕፋ ናቅፋ نافكا nakfa
ETB Br ብር birr
EUR € euro euros Euro Eur ευρώ евро eura eur evro eurot euroa يورو אירו 欧元 歐元 ユーロ 유로
FJD $ FJ$ dollar dollars
FKP ~£ ~pound ~pounds
GBP £ ￡ GB£ UK£ pound pounds stg sterling GBp
GEL ₾ ლ ლარი lari ლარ
GHS GH₵ ₵ GHC cedi cedis
GIP ~£ ~pound ~pounds
GMD ~D dalasi dalasis
GNF FG GFr Fr franc francs
GTQ ~Q quetzal quetzales ~q
GYD $ G$ GY$ dollar dollars
HKD $ HK$ HKD$ 港元 港币 港幣 港紙 dollar dollars $HK
HNL ~L lempira lempiras
HRK kn kuna kune
HTG ~G gourde gourdes
HUF Ft forint forintot
IDR Rp Rp. rupiah
ILS ₪ NIS ש"ח ש״ח ש''ח שח ש.ח שקל שקלים שקל_חדש ش.ج shekel shekels
INR ₹ र रु रु. ரூ রু રૂ ₨ Rs Rs. Re रुपये रुपए rupee rupees
IQD ع.د د.ع دينار_عراقي دينار dinar dinars
IRR ﷼ ریال ريال_إيراني rial rials
IRT تومان تومن toman tomans
ISK kr kr. krónur króna Kr
JMD $ J$ JA$ dollar dollars
JOD د.أ د.ا JD دينار_أردني دينار dinar dinars
JPY ¥ ￥ JP¥ 円 ~圓 yen Yen エン
KES KSh Ksh KSh. KShs Kshs Sh shilling shillings
KGS сом ⃀ som
KHR ៛ រៀល riel
KMF CF FC فرنك franc francs
KPW ~₩ ~원 won
KRW ₩ ￦ 원 won
KWD د.ك KD K.D. دينار_كويتي دينار dinar dinars
KYD $ CI$ dollar dollars
KZT ₸ тг тг. тңг тенге теңге tenge
LAK ₭ ກີບ kip
LBP ل.ل L£ LL L.L. ليرة ~pound ~pounds
LKR රු රු. ரூ ரூ. Rs Rs. ₨ Re rupee rupees
LRD $ L$ LD LD$ dollar dollars
LSL ~M maloti loti
LTL Lt litas litų litai
LVL Ls lats lati latu
LYD ل.د د.ل LD دينار_ليبي دينار dinar dinars
MAD د.م د.م. DH Dh Dhs درهم درهم_مغربي dirham dirhams
MDL ~L ~leu ~lei лей леев
MGA Ar ariary
MKD ден ден. ДЕН ДЕН. денари denari
MMK ~K Ks ကျပ် kyat kyats
MNT ₮ төг төгрөг tögrög tugrik
MOP MOP$ 澳門元 pataca patacas
MRU UM أ.م أوقية ouguiya
MUR Rs Rs. ₨ rupee rupees roupie roupies
MVR Rf Rf. ރ MRf rufiyaa
MWK MK ~K kwacha
MXN $ MX$ MXN$ Mex$ MEX$ peso pesos $MX
MYR RM ringgit
MZN MT MTn Mt metical meticais
NAD $ N$ NA$ dollar dollars
NGN ₦ naira
NIO C$ córdoba córdobas
NOK kr kr. krone kroner Kr
NPR रू रु रु. रू. Rs Rs. ₨ नेरू rupee rupees
NZD $ NZ$ NZD$ dollar dollars $NZ
OMR ر.ع R.O. ريال_عماني ريال rial rials
PAB B/. B/ balboa balboas
PEN S/. S/ S/., sol soles
PGK ~K kina
PHP ₱ Php PhP piso peso pesos
PKR Rs Rs. ₨ Re روپیہ روپے rupee rupees
PLN zł zl zł. Zł ZŁ złotych złote złoty zlotych
PTE Esc $
PYG ₲ Gs Gs. guaraní guaraníes
QAR ر.ق QR ريال_قطري ريال riyal riyals
RON lei LEI Lei leu Leu
RSD din din. дин дин. динара динар dinara dinar DIN RSD. Din
RUB ₽ руб руб. рубль рублей рубля р. р Р Р. Руб Руб. РУБ Rub rub. rubles ruble Rbl
RWF FRw RF R₣ R.F franc francs
SAR ر.س ﷼ SR ريال_سعودي ريال riyal riyals
SBD $ SI$ dollar dollars
SCR SR Rs ₨ rupee rupees
SDG ج.س SDG. جنيه جنيه_سوداني
SEK kr kr. kronor krona Kr
SGD $ S$ SG$ SGD$ dollar dollars $SG
SHP ~£ ~pound ~pounds
SKK Sk korún
SLE Le leone leones
SOS ~S Sh.So. ش.ص shilling shillings
SRD $ Sr$ SR$ dollar dollars
SSP ~£ SS£ ~pound ~pounds
STN Db dobra dobras
SYP ل.س £S S£ ~£ ليرة ليرة_سورية ~pound ~pounds
SZL ~E ~L emalangeni lilangeni
THB ฿ บาท บ. baht Baht
TJS SM смн сом сомонӣ сомонии somoni
TMT ~m manat manady
TND د.ت DT دينار_تونسي دينار dinar dinars
TOP T$ paʻanga pa'anga
TRY ₺ TL TRL YTL lira lirası Tl tl
TTD $ TT$ dollar dollars
TWD $ NT$ NT NTD NTD$ TW$ ~元 圓 ~圆 台幣 新台幣 新臺幣 dollar dollars $TW
TZS TSh TSh. Tsh TZs Sh shilling shillings
UAH ₴ грн грн. гривень гривна гривні гривня ГРН ₴. грв hrn hryvnia
UGX USh USh. Ush Sh shilling shillings
USD $ US$ USD$ U$S U$D U$ US_Dollar US_Dollars dollar dollars долл долл. доллар долларов 美元 美金 ドル 달러 $US
UYU $U $ peso pesos
UZS so'm soʻm so‘m soʻm. сўм сум som so'mi S'
VES Bs Bs. Bs.S Bs.D BsS bolívares bolívar
VND ₫ đ Đ vnđ VNĐ đồng ₫. dong
VUV VT Vt vatu
WST WS$ SAT tala
XAF FCFA CFA F_CFA Fcfa franc francs
XCD $ EC$ dollar dollars
XOF CFA FCFA F_CFA Fcfa franc francs
XPF ~F CFPF ₣ FCFP F_CFP franc francs
YER ر.ي ﷼ ريال_يمني ريال rial rials
ZAR R rand
ZMW ZK ~K kwacha
ZWL Z$ $ ZW$
FRF ₣ FF franc francs
DEM DM
ESP Pts pta ptas pesetas
ITL ₤ lire
GRD ₯
`

/** Countries that use a currency whose code does not begin with the country's code. */
const elsewhere: Readonly<Record<string, ReadonlyArray<string>>> = {
  USD: ["EC", "SV", "PA", "PR", "TL", "ZW"],
  XCD: ["AG", "DM", "GD", "KN", "LC", "VC"],
  XOF: ["BJ", "BF", "CI", "GW", "ML", "NE", "SN", "TG"],
  XAF: ["CM", "CF", "TD", "CG", "GQ", "GA"],
  CHF: ["LI"],
  IRT: ["IR"]
}

/** Currency that text names, and its spelling there. */
export interface Currency {
  /** ISO 4217 code, or the symbol as written if several countries use it and no locale decides. */
  readonly currency: string
  /** Symbol as written. */
  readonly symbol: string
  /** True for a symbol that is a letter or word with other meanings: it counts only next to a number. */
  readonly isWeak: boolean
  /** True for the currency of the locale's region. */
  readonly isLocal: boolean
}

/** False for a single letter that the locale does not make a currency: it may be a size or a unit. */
export const isSure = (found: Currency | undefined): found is Currency =>
  found !== undefined && (!found.isWeak || found.symbol.length > 1 || isCode(found.currency))

const normal = (symbol: string): string =>
  symbol
    .replace(/_/g, " ")
    .replace(/[.]$/, "")
    .replace(/[’ʼ‘ʻ]/g, "'")

interface Meanings {
  /** Codes that the symbol stands for in all regions. */
  readonly codes: Array<string>
  /** Codes that the symbol stands for only in their region. */
  readonly regional: Array<string>
}

let symbols: Map<string, Meanings> | undefined

const build = (): Map<string, Meanings> => {
  const made = new Map<string, Meanings>()
  const add = (symbol: string, code: string, isRegional: boolean) => {
    const meanings = made.get(symbol) ?? { codes: [], regional: [] }
    made.set(symbol, meanings)
    const list = isRegional ? meanings.regional : meanings.codes
    if (!list.includes(code)) list.push(code)
  }
  for (const line of table.trim().split("\n")) {
    const [code = "", ...written] = line.split(" ")
    for (const each of written) {
      const symbol = normal(each.replace("~", ""))
      add(symbol, code, each.startsWith("~"))
      // Words match in any case. Short symbols such as `R` and `Ft` do not.
      if (symbol.length >= 3) add(folded(symbol), code, each.startsWith("~"))
    }
  }
  return made
}

/** Matches codes in lower case that are also words, and therefore do not count in lower case. */
const words = /^(all|try|top|cup|mop|pen|gel|lak|sos|ang|bam|bob|mad|nad|cve|rub|mur|ron|dem|lit|luf|sit|std|tnd|yum)$/

let names: Intl.DisplayNames | undefined

/** True for codes of ISO 4217, including past ones, and for two codes that Intl does not know: BTC and IRT. */
const isCode = (text: string): boolean => {
  if (!/^[A-Z]{3}$/.test(text)) return false
  names ??= new Intl.DisplayNames("en", { type: "currency", fallback: "none" })
  return text === "BTC" || text === "IRT" || names.of(text) !== undefined
}

const lookUp = (symbol: string): Meanings | undefined => {
  symbols ??= build()
  if (isCode(symbol)) return { codes: [symbol], regional: [] }
  const found = symbols.get(symbol) ?? (symbol.length < 3 ? undefined : symbols.get(folded(symbol)))
  if (found !== undefined || words.test(symbol)) return found
  const code = symbol.toUpperCase()
  return isCode(code) ? { codes: [code], regional: [] } : undefined
}

/** Region that a locale names, or else the main region of its language; undefined for languages of many countries. */
const regionOf = (locale: string): string | undefined => {
  const { language, region } = new Intl.Locale(locale)
  return region ?? (/^(en|es|pt|fr|ar)$/.test(language) ? undefined : new Intl.Locale(locale).maximize().region)
}

const find = (written: string, locale: string | undefined): Currency | undefined => {
  const symbol = normal(written)
  const meanings = lookUp(symbol)
  if (meanings === undefined || (symbol === "Nu" && locale !== undefined && saysNu.test(locale))) return undefined
  const isSmallCode = symbol.length === 3 && !isCode(symbol) && isCode(symbol.toUpperCase())
  const isWeak = isSmallCode || (symbol.length <= 2 && /^[A-Za-z/.]+$/.test(symbol))
  const region = locale === undefined ? undefined : regionOf(locale)
  const local = [...meanings.codes, ...meanings.regional].find(
    (code) => region !== undefined && (code.startsWith(region) || elsewhere[code]?.includes(region) === true)
  )
  const [only = written, ...others] = meanings.codes
  const currency = local ?? (others.length === 0 ? only : written)
  return { currency, symbol: written, isWeak, isLocal: local !== undefined }
}

/** Languages in which `Nu` is the word for now: `Nu 299 kr`. */
const saysNu = /^(?:da|nl|ro|sv)\b/

/** Maximum characters of a symbol or name. */
const maxSymbol = 14

const isLetter = /[\p{L}\p{M}]/u

/** True if a word ends between two characters. A sign such as € may end anywhere. */
const isBoundary = (inside: string, outside: string): boolean =>
  outside === "" || !isLetter.test(outside) || !isLetter.test(inside)

/** Caches the results of a function, because columns of a page repeat their currency signs. */
const remembered = (read: (text: string, locale: string | undefined) => Currency | undefined) => {
  // A locale has no space.
  const known = remember(1000, (key) => {
    const space = key.indexOf(" ")
    return read(key.slice(space + 1), space === 0 ? undefined : key.slice(0, space))
  })
  return (text: string, locale: string | undefined) => known(`${locale ?? ""} ${text}`)
}

const readAfter = remembered((text, locale): Currency | undefined => {
  const start = /^[\s:*]*/.exec(text)?.[0].length ?? 0
  for (let length = Math.min(maxSymbol, text.length - start); length > 0; length--) {
    const written = text.slice(start, start + length)
    if (/\s$/.test(written) || !isBoundary(written.at(-1) ?? "", text.charAt(start + length))) continue
    const currency = find(written, locale)
    if (currency !== undefined) return currency
  }
  return undefined
})

const readBefore = remembered((text, locale): Currency | undefined => {
  const end = text.length - (/[\s:*]*[-−–]?$/.exec(text)?.[0].length ?? 0)
  for (let length = Math.min(maxSymbol, end); length > 0; length--) {
    const written = text.slice(end - length, end)
    if (/^\s/.test(written) || !isBoundary(written.charAt(0), text.charAt(end - length - 1))) continue
    const currency = find(written.replace(/\s(?=\p{Sc})/u, ""), locale)
    if (currency !== undefined) return currency
  }
  return undefined
})

/** Reads the currency at the start of the text after a number: `€HT`, `руб.`, `元/台`. */
export const currencyAfter = (text: string, locale: string | undefined): Currency | undefined => {
  const part = /^\D*/.exec(text.slice(0, maxSymbol + 4))?.[0] ?? ""
  return part === "" ? undefined : readAfter(part, locale)
}

/** Reads the currency at the end of the text before a number: `US$:`, `Preis: EUR`, `AU $`. */
export const currencyBefore = (text: string, locale: string | undefined): Currency | undefined => {
  const part = /\D*$/.exec(text.slice(-maxSymbol - 4))?.[0] ?? ""
  return part === "" ? undefined : readBefore(part, locale)
}

/**
 * Reads the first currency anywhere in the text. A letter or word with other meanings, such as `R` or `P`, counts only next to a number or
 * as the whole text.
 */
export const currencyIn = (text: string, locale: string | undefined): Currency | undefined => {
  const trimmed = text.trim()
  const whole = trimmed.length <= maxSymbol ? find(trimmed, locale) : undefined
  if (whole !== undefined) return whole
  for (const { 0: piece, index } of text.matchAll(/[^\s\d]+/g)) {
    if (piece.length > 40) continue
    const isBesideNumber =
      /\d\s?$/.test(text.slice(Math.max(0, index - 2), index)) || /^\s?\d/.test(text.slice(index + piece.length))
    const bare = piece.replace(/^[^\p{L}\p{Sc}]+/u, "")
    const currency = currencyAfter(bare, locale) ?? currencyBefore(piece, locale)
    if (currency !== undefined && (isBesideNumber || !currency.isWeak)) return currency
  }
  return undefined
}

/** Decimals of a currency: 2 for most, 3 for KWD, 0 for JPY. */
export const fractionDigits = remember(1000, (currency): number =>
  /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2
)
