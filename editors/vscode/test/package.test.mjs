// What package.json promises is what the code does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf-8"));
const source = ["extension", "server", "runs"]
  .map((name) => readFileSync(new URL(`../src/${name}.ts`, import.meta.url), "utf-8"))
  .join("\n");

test("every command is registered, and every registered one is listed", () => {
  const block = /const commands:[^{]*\{([\s\S]*?)\n {2}\};/.exec(source)[1];
  const registered = [...block.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => `zerograd-lint.${name}`);
  const listed = manifest.contributes.commands.map(({ command }) => command);
  assert.deepEqual(registered.toSorted(), listed.toSorted());
});

test("a project's configuration holds unless a setting is set", () => {
  const { properties } = manifest.contributes.configuration;
  for (const key of ["select", "extendSelect", "ignore", "unsafeFixes"]) {
    assert.equal(properties[`zerograd-lint.${key}`].default, null, key);
  }
});

test("the version is the linter's", () => {
  const init = readFileSync(new URL("../../../zerograd_lint/__init__.py", import.meta.url), "utf-8");
  assert.equal(manifest.version, /__version__ = "(.*)"/.exec(init)[1]);
});

test("the bundle loads nothing but VS Code and node", () => {
  const bundle = readFileSync(new URL("../dist/extension.js", import.meta.url), "utf-8");
  const required = new Set([...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name));
  const foreign = [...required].filter((name) => name !== "vscode" && !isBuiltin(name));
  assert.deepEqual(foreign, []);
});
