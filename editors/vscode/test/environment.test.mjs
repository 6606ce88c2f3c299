// Finding zerograd-lint, with real executables in a temporary folder.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import environment from "../dist/test/environment.js";

const { expanded, findProgram, Missing } = environment;
const windows = process.platform === "win32";

function folder() {
  return mkdtempSync(path.join(tmpdir(), "environment-"));
}

/** An interpreter whose answer to the probe is this exit status. */
function interpreter(file, status) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexit ${status}\n`);
  chmodSync(file, 0o755);
  return file;
}

function places(more) {
  return { path: "", interpreter: "", chosen: undefined, folders: [], searchPath: "", ...more };
}

test("the interpreter chosen in the Python extension", { skip: windows }, async () => {
  const root = folder();
  const chosen = interpreter(path.join(root, "chosen", "python"), 0);
  interpreter(path.join(root, ".venv", "bin", "python"), 0);
  const program = await findProgram(places({ chosen, folders: [root] }));
  assert.deepEqual(program, [chosen, "-m", "zerograd_lint"]);
});

test("the environment in the workspace, where the chosen one has no linter", { skip: windows }, async () => {
  const root = folder();
  const chosen = interpreter(path.join(root, "chosen", "python"), 3);
  const inside = interpreter(path.join(root, ".venv", "bin", "python"), 0);
  const program = await findProgram(places({ chosen, folders: [root] }));
  assert.deepEqual(program, [inside, "-m", "zerograd_lint"]);
});

test("the search path comes last", { skip: windows }, async () => {
  const root = folder();
  const linter = interpreter(path.join(root, "bin", "zerograd-lint"), 0);
  const searchPath = [path.join(root, "nothing"), path.join(root, "bin")].join(path.delimiter);
  assert.deepEqual(await findProgram(places({ folders: [root], searchPath })), [linter]);
});

test("a setting is the only place", { skip: windows }, async () => {
  const root = folder();
  const linter = interpreter(path.join(root, "bin", "zerograd-lint"), 0);
  const set = interpreter(path.join(root, "set", "python"), 0);
  const search = { searchPath: path.dirname(linter), folders: [root] };
  assert.deepEqual(
    await findProgram(places({ ...search, interpreter: "${workspaceFolder}/set/python" })),
    [set, "-m", "zerograd_lint"],
  );
  assert.deepEqual(await findProgram(places({ path: linter })), [linter]);
  await assert.rejects(
    findProgram(places({ ...search, interpreter: path.join(root, "gone") })),
    (error) => error instanceof Missing && /gone cannot be run/.test(error.message),
  );
  await assert.rejects(
    findProgram(places({ ...search, path: path.join(root, "gone") })),
    /zerograd-lint.path is .*gone, which cannot be run/,
  );
});

test("what is missing, and the command that installs it", { skip: windows }, async () => {
  const root = folder();
  const without = interpreter(path.join(root, "my env", "python"), 3);
  await assert.rejects(findProgram(places({ chosen: without, folders: [root] })), (error) => {
    assert.equal(error.message, `zerograd-lint is not installed in ${without}.`);
    assert.equal(error.install, `"${without}" -m pip install "zerograd-lint[server]"`);
    return true;
  });
  const bare = interpreter(path.join(root, "bare", "python"), 4);
  await assert.rejects(findProgram(places({ chosen: bare })), (error) => {
    assert.equal(error.message, `The zerograd-lint in ${bare} lacks its language server.`);
    assert.equal(error.install, `${bare} -m pip install "zerograd-lint[server]"`);
    return true;
  });
  await assert.rejects(findProgram(places({ folders: [root] })), (error) => {
    assert.equal(error.install, 'pip install "zerograd-lint[server]"');
    return true;
  });
});

// The real probe in a real interpreter: python3 has the linter or not, but it can be asked.
test("a real interpreter is asked", { skip: !process.env.ZEROGRAD_PYTHON }, async () => {
  const python = process.env.ZEROGRAD_PYTHON;
  const program = await findProgram(places({ interpreter: python }));
  assert.deepEqual(program, [python, "-m", "zerograd_lint"]);
});

test("variables in settings", () => {
  assert.equal(expanded("~/x", []), `${homedir()}/x`);
  assert.equal(expanded("a~/x", []), "a~/x");
  assert.equal(expanded("${workspaceFolder}/x", ["/w", "/v"]), "/w/x");
});
