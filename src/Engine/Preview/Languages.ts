/** Translates German, French and Spanish prompts, word by word, into the English words that the rules read. */

type Words = ReadonlyArray<readonly [string, string]>

interface Language {
  /** Words that are frequent in this language and rare in the others, as a regular expression. */
  readonly frequent: string
  /** Regular expression → English, longer ones first. */
  readonly words: Words
  /** Sections of a site. Paths may use the name in either language. */
  readonly nouns: Words
}

const languages: ReadonlyArray<Language> = [
  {
    frequent:
      "und|oder|nur|nicht|keine?n?|alle|der|die|das|den|bitte|ohne|außer|ausser|höchstens|maximal|seiten|seite|zwischen|ich|wir|sekunden|unter|ab|seit|ganze|gesamte|mit|auf|folge|ignoriere",
    words: [
      ["(?:die |der )?(?:ganze|gesamte|komplette) (?:web)?(?:site|seite|domain)", "the whole site"],
      ["alle(?: unter)?seiten(?= (?:außer|ausser|bis auf|ohne)\\b)", "the whole site"],
      ["alles(?= (?:außer|ausser|bis auf)\\b)", "everything"],
      ["höchstens|maximal|nicht mehr als|bis zu|max\\.", "at most"],
      ["außer|ausser|bis auf|mit ausnahme (?:von|der|des)", "except"],
      ["nicht (?:tiefer|weiter) als", "at most"],
      ["überspring\\w*|auslassen|weglassen|lass\\w* .{0,30}? (?:weg|aus)", "skip"],
      ["ignorier\\w*", "ignore"],
      ["schließ\\w*|ausschließ\\w*", "exclude"],
      ["beacht\\w*|respektier\\w*", "respect"],
      ["folg\\w* (?:auch )?", "follow "],
      ["keine?[nrm]?", "no"],
      ["nur|ausschließlich|lediglich", "only"],
      ["nicht", "not"],
      ["ohne", "without"],
      ["(?:ich|wir) (?:brauche|möchte|will|hätte gern|benötige|brauchen|möchten|wollen)n?", "get"],
      ["(?:hol|crawl|durchsuch|lad|sammel|erfass)\\w*", "get"],
      ["(?:unter)?seiten|webseiten", "pages"],
      ["externe\\w* (?:links?|seiten)", "external links"],
      ["subdomains?|unterdomains?", "subdomains"],
      ["abfrageparameter|url-parameter|query-parameter", "query parameters"],
      ["sekunden?", "seconds"],
      ["minuten?", "minutes"],
      ["pause|wartezeit|abstand", "delay"],
      ["zwischen", "between"],
      ["(?:zwei|2) anfragen", "requests"],
      ["anfragen?|aufrufen?|abrufen?", "requests"],
      ["pro", "per"],
      ["klicks?", "clicks"],
      ["ebenen?", "levels"],
      ["tiefe", "depth"],
      ["tief", "deep"],
      ["(?:ab|seit)(?= (?:dem jahr )?\\d{4})", "since"],
      ["aus(?: dem jahr(?:en)?)?(?= \\d{4})", "from"],
      ["von(?= \\d{4})", "from"],
      ["bis(?= \\d{4})", "to"],
      ["unter(?:halb von)?", "under"],
      ["und", "and"],
      ["oder", "or"],
      ["aber", "but"],
      ["bitte", "please"],
      ["auf (?:deutsch|englisch)", ""],
      ["auch", "also"],
      ["(?:die|der|das|den|dem|des|einer?|einen|eines|alle|jeder?)", "the"]
    ],
    nouns: [
      ["blog(?:beiträge|artikel|posts?|einträge)?", "blog"],
      ["dokumentation|doku", "documentation"],
      ["produkte?(?:seiten)?", "products"],
      ["nachrichten|neuigkeiten|aktuelles", "news"],
      ["hilfe(?:seiten|bereich)?", "help"],
      ["preise|preisseiten?", "pricing"],
      ["karriere(?:seiten)?|stellenanzeigen|stellenangebote", "careers"],
      ["impressum", "imprint"],
      ["kontakt(?:seiten?)?", "contact"],
      ["warenkorb", "cart"],
      ["kasse", "checkout"],
      ["anmeldung|anmeldeseiten?", "login"],
      ["rezepte", "recipes"],
      ["veranstaltungen", "events"],
      ["über uns", "about"]
    ]
  },
  {
    frequent:
      "le|la|les|des|du|et|ou|seulement|uniquement|sans|sauf|pas|pages|tout|toutes|ne|entre|secondes|aux|au|dans|sur|ignorez?|maximum|je|veux|plus|que|chaque|suivre",
    words: [
      ["tout(?:e)? le site(?: web)?|l'ensemble du site|le site entier", "the whole site"],
      ["toutes les pages(?= (?:sauf|excepté|hormis)\\b)", "the whole site"],
      ["tout(?= (?:sauf|excepté|hormis)\\b)", "everything"],
      ["au maximum|au plus|pas plus de|jusqu'à|maximum", "at most"],
      ["sauf|excepté|hormis|à l'exception d[eu]s?", "except"],
      ["(?:sans|ne pas) suivre|ne suis pas|ne suivez pas", "do not follow"],
      ["(?:ne )?pas (?:les? |la |des? |du )?", "not "],
      ["sans|aucun(?:e)?", "without"],
      ["uniquement|seulement|rien que", "only"],
      ["ignor(?:e[rz]?|ez)", "ignore"],
      ["exclu(?:re|s|ez|ant)", "exclude"],
      ["respect(?:e[rz]?)", "respect"],
      ["(?:je|nous) (?:veux|voudrais|voulons|souhaite|souhaitons)", "get"],
      ["(?:parcour[sez]+|parcourir|récupér\\w+|explor\\w+|télécharg\\w+|crawle[rz]?)", "get"],
      ["liens? (?:externes?|sortants?)", "external links"],
      ["sous-domaines?", "subdomains"],
      ["plan du site", "sitemap"],
      ["paramètres (?:d'url|de requête)", "query parameters"],
      ["secondes?", "seconds"],
      ["(?:délai|pause|attente)(?: de)?", "delay"],
      ["entre", "between"],
      ["requêtes?", "requests"],
      ["par(?= (?:seconde|minute|heure))", "per"],
      ["clics?", "clicks"],
      ["niveaux?", "levels"],
      ["profondeur", "depth"],
      ["depuis|à partir de", "since"],
      ["sous", "under"],
      ["et", "and"],
      ["ou", "or"],
      ["mais", "but"],
      ["s'il (?:vous|te) plaît|svp|merci", "please"],
      ["aussi", "also"],
      ["(?:les?|la|l'|des?|du|d'|une?|aux?|chaque|toutes?|tous)", "the"]
    ],
    nouns: [
      ["articles (?:de|du) blogs?|blogs?", "blog"],
      ["documentation", "documentation"],
      ["(?:pages (?:de )?)?produits?", "products"],
      ["actualités|nouvelles", "news"],
      ["aide|centre d'aide", "help"],
      ["tarifs|prix", "pricing"],
      ["emplois?|carrières?|recrutement", "careers"],
      ["mentions légales", "legal"],
      ["panier", "cart"],
      ["boutique", "shop"],
      ["recettes", "recipes"],
      ["événements", "events"],
      ["à propos", "about"]
    ]
  },
  {
    frequent:
      "el|la|los|las|del|y|solo|sólo|solamente|sin|excepto|salvo|todo|todas|páginas|no|entre|segundos|máximo|como|ignora|sitio|quiero|más|que|cada|por|de",
    words: [
      ["tod[oa] (?:el|la) (?:sitio|web|página)(?: web)?|el sitio (?:entero|completo)", "the whole site"],
      ["todas las páginas(?= (?:excepto|salvo|menos)\\b)", "the whole site"],
      ["todo(?= (?:excepto|salvo|menos)\\b)", "everything"],
      ["como máximo|máximo|no más de|hasta", "at most"],
      ["excepto|salvo|menos|a excepción de", "except"],
      ["no sig(?:as|a|uir)|sin seguir", "do not follow"],
      ["sin|ning[uú]n[oa]?", "without"],
      ["s[oó]lo|solamente|únicamente", "only"],
      ["ignor(?:ar?|e|ando)", "ignore"],
      ["exclu(?:ye|ir|yendo)|omit(?:e|ir)", "exclude"],
      ["respet(?:ar?|e)", "respect"],
      ["(?:quiero|queremos|necesito|necesitamos)", "get"],
      ["(?:rastre\\w+|recorr\\w+|descarg\\w+|extra(?:e|er)|obt[eé]n\\w*)", "get"],
      ["enlaces? (?:externos?|salientes?)", "external links"],
      ["subdominios?", "subdomains"],
      ["mapa del sitio", "sitemap"],
      ["parámetros (?:de (?:url|consulta))", "query parameters"],
      ["páginas?", "pages"],
      ["segundos?", "seconds"],
      ["(?:retraso|pausa|espera)(?: de)?", "delay"],
      ["entre", "between"],
      ["(?:peticiones|solicitudes|petición|solicitud)", "requests"],
      ["por(?= (?:segundo|minuto|hora))", "per"],
      ["clics?", "clicks"],
      ["niveles|nivel", "levels"],
      ["profundidad", "depth"],
      ["desde", "since"],
      ["bajo|debajo de", "under"],
      ["y", "and"],
      ["pero", "but"],
      ["por favor|gracias", "please"],
      ["también", "also"],
      ["(?:el|la|los|las|una?|del?|al|cada|tod[oa]s?)", "the"]
    ],
    nouns: [
      ["(?:artículos|entradas) del blog|blogs?", "blog"],
      ["documentación", "documentation"],
      ["(?:páginas de )?productos?", "products"],
      ["noticias", "news"],
      ["ayuda|centro de ayuda", "help"],
      ["precios|tarifas", "pricing"],
      ["empleos?|carreras", "careers"],
      ["aviso legal", "legal"],
      ["contacto", "contact"],
      ["carrito", "cart"],
      ["tienda", "shop"],
      ["recetas", "recipes"],
      ["eventos", "events"]
    ]
  }
]

/** Matches a whole word. `\b` does not work with accented letters. */
const whole = (source: string) => new RegExp(`(?<![\\p{L}\\p{N}/_-])(?:${source})(?![\\p{L}\\p{N}/_-])`, "giu")

/** Name as in a path: `produktseiten` becomes `produkte`. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/(?:seiten?|beitrage|artikel)$|^pages (?:de )?|^paginas de /, "")
    .replace(/^(?:produkt|preis)$/, "$&e")
    .replace(/\s+/g, "-")

const compiled = languages.map(({ nouns, frequent, words }) => ({
  frequent: whole(frequent),
  rewrites: [
    ...nouns.map(([said, english]): readonly [RegExp, (word: string) => string] => [
      whole(said),
      (word) => (word.toLowerCase() === english ? word : `${english} and /${plain(word.toLowerCase())}`)
    ]),
    ...words.map(([said, english]): readonly [RegExp, () => string] => [whole(said), () => english])
  ]
}))

const english =
  /\b(?:the|and|only|pages?|from|not|don't|with|skip|except|please|all|everything|want|get|to|of|under|at|most)\b/gi

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Translates a prompt if more of its words are in one of these languages than in English. */
export const inEnglish = (prompt: string): string => {
  const englishHits = count(prompt, english)
  const [best] = compiled
    .map((language) => ({ language, hits: count(prompt, language.frequent) }))
    .sort((one, other) => other.hits - one.hits)
  if (best === undefined || best.hits < 2 || best.hits <= englishHits) return prompt
  return best.language.rewrites.reduce((text, [pattern, write]) => text.replace(pattern, write), prompt)
}
