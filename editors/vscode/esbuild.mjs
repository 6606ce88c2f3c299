// Bundles the extension, client library included, into one file.
import { copyFileSync } from "node:fs";
import { build } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  logLevel: "warning",
};

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  minify: process.argv.includes("--minify"),
});
// What does not depend on VS Code, for the tests.
await build({ ...common, entryPoints: ["src/environment.ts"], outfile: "dist/test/environment.js" });
copyFileSync("../../LICENSE", "LICENSE"); // a package carries its own
