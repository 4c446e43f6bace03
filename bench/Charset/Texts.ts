/** Texts of our own in the languages of old web pages, with the encodings that such pages are in. */
export const texts: ReadonlyArray<{
  readonly language: string
  readonly charsets: ReadonlyArray<string>
  readonly text: string
}> = [
  {
    language: "ru",
    charsets: ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"],
    text: "Город просыпается рано: пекари открывают двери, и улицы наполняются запахом свежего хлеба. На площади торгуют яблоками и рыбой, дети бегут в школу. Вечером жители собираются у реки, слушают музыку и говорят о погоде, о ценах и о соседях. Расписание автобусов можно узнать на вокзале или по телефону."
  },
  {
    language: "uk",
    charsets: ["windows-1251", "koi8-u"],
    text: "Місто прокидається рано: пекарі відчиняють двері, і вулиці наповнюються запахом свіжого хліба. На площі торгують яблуками й рибою, діти біжать до школи. Увечері жителі збираються біля річки, слухають музику та говорять про погоду, ціни і сусідів. Її сестра їде до Києва."
  },
  {
    language: "bg",
    charsets: ["windows-1251"],
    text: "Градът се събужда рано: хлебарите отварят вратите и улиците се изпълват с мирис на пресен хляб. На площада продават ябълки и риба, децата тичат към училище. Вечер жителите се събират край реката, слушат музика и говорят за времето и за цените."
  },
  {
    language: "pl",
    charsets: ["windows-1250", "iso-8859-2"],
    text: "Miasto budzi się wcześnie: piekarze otwierają drzwi, a ulice wypełnia zapach świeżego chleba. Na rynku sprzedają jabłka i ryby, dzieci biegną do szkoły. Wieczorem mieszkańcy zbierają się nad rzeką, słuchają muzyki i mówią o pogodzie, o cenach i o sąsiadach. Środa będzie słoneczna."
  },
  {
    language: "cs",
    charsets: ["windows-1250", "iso-8859-2"],
    text: "Město se probouzí brzy: pekaři otevírají dveře a ulice se plní vůní čerstvého chleba. Na náměstí prodávají jablka a ryby, děti běží do školy. Večer se obyvatelé scházejí u řeky, poslouchají hudbu a mluví o počasí, o cenách a o sousedech. Příští týden začíná žně."
  },
  {
    language: "hu",
    charsets: ["windows-1250", "iso-8859-2"],
    text: "A város korán ébred: a pékek kinyitják az ajtókat, és az utcák megtelnek a friss kenyér illatával. A téren almát és halat árulnak, a gyerekek az iskolába futnak. Este a lakók a folyónál gyűlnek össze, zenét hallgatnak, és az időjárásról, az árakról beszélgetnek. Az őszi vásár jövő hétfőn nyílik."
  },
  {
    language: "de",
    charsets: ["windows-1252"],
    text: "Die Stadt erwacht früh: Die Bäcker öffnen ihre Türen, und die Straßen füllen sich mit dem Duft von frischem Brot. Auf dem Platz verkauft man Äpfel und Fische, die Kinder laufen zur Schule. Abends treffen sich die Bürger am Fluss, hören Musik und reden über das Wetter – und über die „Preise“ für 5 €."
  },
  {
    language: "fr",
    charsets: ["windows-1252"],
    text: "La ville s’éveille tôt : les boulangers ouvrent leurs portes et les rues se remplissent d’une odeur de pain frais. Sur la place on vend des pommes et des poissons, les élèves courent à l’école. Le soir, les habitants se réunissent près de la rivière, écoutent de la musique et parlent du temps qu’il fait, où qu’ils soient."
  },
  {
    language: "es",
    charsets: ["windows-1252"],
    text: "La ciudad despierta temprano: los panaderos abren sus puertas y las calles se llenan de olor a pan recién hecho. En la plaza se venden manzanas y pescado, los niños corren a la escuela. Por la tarde los vecinos se reúnen junto al río, escuchan música y hablan del tiempo. ¿Qué pasará mañana? Según el señor Núñez, nada."
  },
  {
    language: "sv",
    charsets: ["windows-1252"],
    text: "Staden vaknar tidigt: bagarna öppnar sina dörrar och gatorna fylls av doften av nybakat bröd. På torget säljs äpplen och fisk, barnen springer till skolan. På kvällen samlas invånarna vid ån, hör på musik och talar om vädret, om priserna och om grannarna. Nästa vecka börjar höstmarknaden."
  },
  {
    language: "pt",
    charsets: ["windows-1252"],
    text: "A cidade acorda cedo: os padeiros abrem as portas e as ruas enchem-se do cheiro do pão fresco. Na praça vendem-se maçãs e peixe, as crianças correm para a escola. À noite os habitantes reúnem-se junto ao rio, ouvem música e falam do tempo, dos preços e das eleições que não acabam."
  },
  {
    language: "tr",
    charsets: ["windows-1254"],
    text: "Şehir erken uyanır: fırıncılar kapılarını açar ve sokaklar taze ekmek kokusuyla dolar. Meydanda elma ve balık satılır, çocuklar okula koşar. Akşamları halk ırmağın kıyısında toplanır, müzik dinler ve havadan, fiyatlardan, komşulardan konuşur. Gelecek hafta sonbahar pazarı açılıyor."
  },
  {
    language: "el",
    charsets: ["windows-1253", "iso-8859-7"],
    text: "Η πόλη ξυπνά νωρίς: οι φουρνάρηδες ανοίγουν τις πόρτες τους και οι δρόμοι γεμίζουν από τη μυρωδιά του φρέσκου ψωμιού. Στην πλατεία πουλάνε μήλα και ψάρια, τα παιδιά τρέχουν στο σχολείο. Το βράδυ οι κάτοικοι μαζεύονται στο ποτάμι, ακούν μουσική και μιλούν για τον καιρό."
  },
  {
    language: "he",
    charsets: ["windows-1255"],
    text: "העיר מתעוררת מוקדם: האופים פותחים את הדלתות והרחובות מתמלאים בריח של לחם טרי. בכיכר מוכרים תפוחים ודגים, הילדים רצים לבית הספר. בערב התושבים נפגשים ליד הנהר, שומעים מוזיקה ומדברים על מזג האוויר ועל המחירים."
  },
  {
    language: "ar",
    charsets: ["windows-1256"],
    text: "تستيقظ المدينة مبكرا: يفتح الخبازون أبوابهم وتمتلئ الشوارع برائحة الخبز الطازج. في الساحة يباع التفاح والسمك، ويركض الأطفال إلى المدرسة. وفي المساء يجتمع السكان عند النهر ويستمعون إلى الموسيقى ويتحدثون عن الطقس وعن الأسعار."
  },
  {
    language: "fa",
    charsets: ["windows-1256"],
    text: "شهر زود بيدار مي شود: نانواها درها را باز مي کنند و خيابان ها پر از بوي نان تازه مي شود. در ميدان سيب و ماهي مي فروشند و بچه ها به مدرسه مي دوند. عصر مردم کنار رود جمع مي شوند و از هوا و گراني حرف مي زنند."
  },
  {
    language: "lt",
    charsets: ["windows-1257"],
    text: "Miestas pabunda anksti: kepėjai atidaro duris ir gatvės prisipildo šviežios duonos kvapo. Aikštėje parduodami obuoliai ir žuvys, vaikai bėga į mokyklą. Vakare gyventojai renkasi prie upės, klausosi muzikos ir kalba apie orą, apie kainas ir apie kaimynus. Kitą savaitę prasidės rudens mugė."
  },
  {
    language: "lv",
    charsets: ["windows-1257"],
    text: "Pilsēta mostas agri: maiznieki atver durvis, un ielas piepilda svaigas maizes smarža. Laukumā pārdod ābolus un zivis, bērni skrien uz skolu. Vakarā iedzīvotāji pulcējas pie upes, klausās mūziku un runā par laiku, par cenām un par kaimiņiem. Nākamnedēļ sāksies rudens gadatirgus."
  },
  {
    language: "th",
    charsets: ["windows-874"],
    text: "เมืองตื่นแต่เช้า คนทำขนมปังเปิดประตูร้าน และถนนก็เต็มไปด้วยกลิ่นขนมปังสด ที่จัตุรัสมีคนขายแอปเปิลและปลา เด็กๆ วิ่งไปโรงเรียน ตอนเย็นชาวเมืองมารวมตัวกันที่ริมแม่น้ำ ฟังเพลง และพูดคุยกันเรื่องอากาศและราคา"
  },
  {
    language: "ja",
    charsets: ["shift_jis", "euc-jp", "iso-2022-jp"],
    text: "町は朝早く目を覚まします。パン屋が戸を開けると、通りは焼きたてのパンの香りでいっぱいになります。広場ではリンゴや魚が売られ、子供たちは学校へ走っていきます。夕方になると住民は川のほとりに集まり、音楽を聞きながら天気や値段の話をします。"
  },
  {
    language: "zh-Hans",
    charsets: ["gbk", "gb18030"],
    text: "这座城市醒得很早：面包师打开店门，街上充满了新鲜面包的香味。广场上有人卖苹果和鱼，孩子们跑着去上学。傍晚，居民们聚集在河边，听着音乐，谈论天气、价格和邻居。下个星期，秋天的集市就要开始了。"
  },
  {
    language: "zh-Hant",
    charsets: ["big5"],
    text: "這座城市醒得很早：麵包師打開店門，街上充滿了新鮮麵包的香味。廣場上有人賣蘋果和魚，孩子們跑著去上學。傍晚，居民們聚集在河邊，聽著音樂，談論天氣、價格和鄰居。下個星期，秋天的市集就要開始了。"
  },
  {
    language: "ko",
    charsets: ["euc-kr"],
    text: "도시는 일찍 잠에서 깨어납니다. 빵집 주인들이 문을 열면 거리는 갓 구운 빵 냄새로 가득합니다. 광장에서는 사과와 생선을 팔고, 아이들은 학교로 달려갑니다. 저녁이 되면 주민들은 강가에 모여 음악을 들으며 날씨와 물가에 대해 이야기합니다."
  }
]
