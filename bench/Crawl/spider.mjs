/** The same crawl by `@spider-rs/spider-rs`, native code that reads links and keeps nothing else. Prints the number of pages. */
import { Website } from "@spider-rs/spider-rs"

const website = new Website(process.argv[2])
await website.crawl()
console.log(website.getLinks().length)
