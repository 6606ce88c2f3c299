// The packaged extension in a real VS Code: code-server in Chromium, driven as a user would.
//
//   CODE_SERVER=folder ZEROGRAD_PYTHON=python npm run test:vscode
//
// The folder holds node_modules with code-server and playwright-core, the interpreter has
// zerograd-lint[server,verify]. Pictures of every step are left in dist/pictures.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const PATIENCE = 180_000;
const PORT = 8392;
const here = import.meta.dirname;
const fixtures = path.join(here, "../../../fixtures/ZG001_missing_zero_grad");
const pictures = path.join(here, "../dist/pictures");
const { CODE_SERVER, ZEROGRAD_PYTHON } = process.env;
if (!CODE_SERVER || !ZEROGRAD_PYTHON) {
  console.log("skipped: CODE_SERVER and ZEROGRAD_PYTHON say what to run it with");
  process.exit(0);
}

const CELLS = [
  "import torch\nmodel = torch.nn.Linear(2, 1)\nloader = torch.randn(8, 4, 2)",
  "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
  "for x in loader:\n    loss = model(x).sum()\n    loss.backward()\n    optimizer.step()",
];

/** A folder with a script and a notebook that have the bug. */
function project(root) {
  const folder = path.join(root, "project");
  mkdirSync(path.join(folder, ".vscode"), { recursive: true });
  const script = readFileSync(path.join(fixtures, "bad_textbook_loop.py"), "utf-8");
  writeFileSync(path.join(folder, "train.py"), withoutExpectation(script));
  const cells = CELLS.map((source) => ({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  }));
  const metadata = { language_info: { name: "python" } };
  const notebook = { cells, metadata, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(path.join(folder, "train.ipynb"), JSON.stringify(notebook));
  settings(folder, { "zerograd-lint.interpreter": ZEROGRAD_PYTHON });
  return folder;
}

function settings(folder, values) {
  writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(values));
}

function withoutExpectation(text) {
  return text.replaceAll(/ +# expect: \w+/g, "");
}

/** Install the package and serve the folder; a function that ends it. */
async function serve(root, folder) {
  const data = path.join(root, "data");
  mkdirSync(path.join(data, "User"), { recursive: true });
  const user = {
    "workbench.startupEditor": "none",
    "security.workspace.trust.enabled": false,
    "workbench.colorTheme": "Default Light Modern",
    "files.autoSave": "off",
    "editor.minimap.enabled": false,
  };
  writeFileSync(path.join(data, "User", "settings.json"), JSON.stringify(user));
  const config = path.join(root, "config.yaml");
  writeFileSync(config, `bind-addr: 127.0.0.1:${PORT}\nauth: none\ncert: false\n`);
  const entry = path.join(CODE_SERVER, "node_modules/code-server/out/node/entry.js");
  const folders = ["--user-data-dir", data, "--extensions-dir", path.join(root, "extensions")];
  const words = [entry, "--config", config, ...folders];
  const vsix = path.join(here, "../dist", `zerograd-lint-${version()}.vsix`);
  const installed = spawnSync("node", [...words, "--install-extension", vsix], { encoding: "utf-8" });
  assert.match(installed.stdout, /successfully installed/, installed.stderr);
  const env = { ...process.env, OMP_NUM_THREADS: "1", XDG_CACHE_HOME: path.join(root, "cache") };
  const server = spawn("node", [...words, "--disable-telemetry", "--disable-update-check", folder], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes("HTTP server listening")) break;
  }
  server.stdout.resume();
  return async () => {
    server.kill();
    await once(server, "exit");
  };
}

function version() {
  return JSON.parse(readFileSync(path.join(here, "../package.json"), "utf-8")).version;
}

/** What a user does in VS Code. */
class Hands {
  constructor(page) {
    this.page = page;
  }

  async open(name) {
    await this.page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input").first();
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  async goTo(line) {
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget input").first().fill(`:${line}`);
    await this.page.keyboard.press("Enter");
  }

  squiggles() {
    return this.page.locator(".squiggly-warning");
  }

  async picture(name) {
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
    console.log(`seen: ${name}`);
  }
}

async function main() {
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const root = mkdtempSync(path.join(tmpdir(), "in-vscode-"));
  const folder = project(root);
  const end = await serve(root, folder);
  const { chromium } = createRequire(path.join(CODE_SERVER, "package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
  page.setDefaultTimeout(PATIENCE);
  const hands = new Hands(page);
  try {
    await page.goto(`http://127.0.0.1:${PORT}/?folder=${folder}`);
    await page.locator(".explorer-folders-view").getByText("train.py").waitFor();
    await script(hands, folder);
    await notebook(hands);
    await missing(hands, folder);
    console.log("all seen");
  } catch (error) {
    await hands.picture("failed");
    throw error;
  } finally {
    await browser.close();
    await end();
  }
}

async function script(hands, folder) {
  const { page } = hands;
  await hands.open("train.py");
  await hands.squiggles().first().waitFor();
  await hands.picture("squiggle");

  await hands.command("Prove the findings of this file by running it");
  const lens = page.locator(".codelens-decoration", { hasText: "CONFIRMED when run: stale in" });
  await lens.first().waitFor();
  await page.locator("iframe.webview").first().waitFor();
  await hands.picture("proof");
  await hands.command("View: Close All Editors");
  await hands.command("View: Toggle Panel Visibility");
  await hands.open("train.py");
  await lens.first().waitFor();

  await hands.goTo(18);
  await page.keyboard.press("End");
  await hands.command("Show or Focus Hover");
  await page.locator(".monaco-hover", { hasText: "nothing zeroes 'optimizer' in between" }).first().waitFor();
  await hands.picture("hover");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+.");
  const fix = page.locator(".action-widget .action", { hasText: "Insert `optimizer.zero_grad()`" });
  await fix.first().waitFor();
  await hands.picture("quick-fix");
  await page.keyboard.press("Enter");
  await hands.squiggles().first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  await hands.picture("fixed");
  const fixed = readFileSync(path.join(fixtures, "bad_textbook_loop.fixed.py"), "utf-8");
  const saved = readFileSync(path.join(folder, "train.py"), "utf-8");
  assert.equal(saved, withoutExpectation(fixed));
}

async function notebook(hands) {
  await hands.open("train.ipynb");
  await hands.page.locator(".notebook-editor .squiggly-warning").first().waitFor();
  await hands.picture("notebook");
  await hands.command("View: Close All Editors");
}

async function missing(hands, folder) {
  settings(folder, { "zerograd-lint.interpreter": "/usr/bin/python3" });
  const notice = hands.page.locator(".notifications-toasts", { hasText: "is not installed in" });
  await notice.first().waitFor();
  await hands.picture("missing");
  assert.match(await notice.first().innerText(), /-m pip install "zerograd-lint\[server\]"/);
}

await main();
