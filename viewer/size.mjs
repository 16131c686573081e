// Prints the size of the built page and fails when it is over its budget.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET = 300 * 1000;
const page = readFileSync(new URL("../src/ludometer/web/viewer.html", import.meta.url));
console.log(`viewer.html: ${(page.length / 1000).toFixed(1)} kB, gzip ${(gzipSync(page).length / 1000).toFixed(1)} kB`);
if (page.length > BUDGET) {
  console.error(`That is more than the ${BUDGET / 1000} kB which the page may have.`);
  process.exit(1);
}
