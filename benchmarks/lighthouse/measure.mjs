// Lighthouse on the home page and on a table with a live match, as a phone and as a desktop; beside them
// a page with one button, which shows what this machine lets any page have.
//
//     node measure.mjs ROOM CHROMIUM RUNS all|phone
//
// Prints one line of JSON: by page and form factor the scores of every run, and what cost points.

import { createServer } from 'node:http';
import desktop from 'lighthouse/core/config/desktop-config.js';
import lighthouse from 'lighthouse';
import puppeteer from 'puppeteer-core';

const [room, chromium, runs, which] = process.argv.slice(2);
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

/** A match against a program, in this browser's cookie: the table that Lighthouse then looks at. */
async function seated() {
  const page = await browser.newPage();
  await page.goto(room);
  const made = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'Ada', against: 'random', seat: 0, rules: 'room first=0' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/api/tables', { method: 'POST', headers, body })).json();
  });
  await page.close();
  return made.url;
}

async function look(address, config) {
  const page = await browser.newPage();
  const flags = { onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' };
  const { lhr } = await lighthouse(address, flags, config, page);
  await page.close();
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round(100 * lhr.categories[name].score)]),
  );
  const faults = Object.values(lhr.categories)
    .flatMap((category) => category.auditRefs.filter((ref) => ref.weight > 0))
    .map((ref) => lhr.audits[ref.id])
    .filter((audit) => audit.score !== null && audit.score < 0.9)
    .map((audit) => `${audit.id} ${audit.displayValue ?? ''}`.trim());
  return { scores, faults, finished: lhr.finalDisplayedUrl };
}

const BUTTON = `<!doctype html><html lang="en"><meta charset="utf-8"><title>One button</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<main><h1>One button</h1><button type="button">Press</button></main></html>`;
const plain = createServer((_, answer) => {
  answer.setHeader('content-type', 'text/html; charset=utf-8');
  answer.end(BUTTON);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => plain.once('listening', resolve));

const pages = {
  home: `${room}/`,
  table: room + (await seated()),
  ...(which === 'all' ? { 'one button': `http://127.0.0.1:${plain.address().port}/` } : {}),
};
const forms = { phone: undefined, ...(which === 'all' ? { desktop } : {}) };
const found = {};
for (let run = 0; run < Number(runs); run += 1) {
  for (const [name, address] of Object.entries(pages)) {
    for (const [form, config] of Object.entries(forms)) {
      const seen = await look(address, config);
      if (seen.finished !== address) throw new Error(`${address} led to ${seen.finished}`);
      (found[`${name}, ${form}`] ??= []).push(seen);
    }
  }
}
await browser.close();
plain.close();
console.log(JSON.stringify(found));
