// Drives Firefox for the tests of pages: a line of JSON in, a line of JSON out.
// {code, limit} runs Python in the page, {script} evaluates JavaScript, {choose, file} fills a file field.
// Needs `npm install puppeteer-core` in the folder that PUPPETEER names, and firefox-esr or firefox on the path.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";

const puppeteer = createRequire(process.env.PUPPETEER + "/")("puppeteer-core");
const path = execFileSync("sh", ["-c", "command -v firefox-esr || command -v firefox"]).toString().trim();
const browser = await puppeteer.launch({ browser: "firefox", executablePath: path, headless: true, protocolTimeout: 1e6 });
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(String(error)));
await page.goto(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { code, limit, script, choose, file } = JSON.parse(line);
  const result = code !== undefined ? await page.evaluate((code, limit) => window.clearhead.run(code, { limit }), code, limit)
    : script !== undefined ? await page.evaluate(script)
    : await (await page.$(choose)).uploadFile(file);
  console.log(JSON.stringify(result ?? null));
}
await browser.close();
