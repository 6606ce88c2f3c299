/** Finds zerograd-lint: which program to start, or what to say where there is none. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";

/** The start of a command line; the arguments of zerograd-lint follow. */
export type Program = readonly [string, ...string[]];

/** Where to look, from the settings and from the Python extension. */
export interface Places {
  /** The setting `zerograd-lint.path`. */
  path: string;
  /** The setting `zerograd-lint.interpreter`. */
  interpreter: string;
  /** The interpreter chosen in the Python extension. */
  chosen: string | undefined;
  folders: readonly string[];
  /** The environment's `PATH`. */
  searchPath: string;
}

export class Missing extends Error {
  constructor(
    message: string,
    /** What to run in a terminal to mend it. */
    readonly install?: string,
  ) {
    super(message);
  }
}

export const PACKAGE = "zerograd-lint[server]";
const WINDOWS = process.platform === "win32";
const IN_ENVIRONMENT = WINDOWS ? ["Scripts", "python.exe"] : ["bin", "python"];
/** Exit status 3 if zerograd-lint is missing, 4 if only what its server needs is. */
const PROBE = `
import importlib.util, sys
has = importlib.util.find_spec
sys.exit(3 if not has("zerograd_lint") else 4 if not (has("pygls") and has("lsprotocol")) else 0)
`;

/** The first place that has zerograd-lint with its server; a setting is the only place. */
export async function findProgram(places: Places): Promise<Program> {
  if (places.path) {
    return [await executableFromSetting(expanded(places.path, places.folders))];
  }
  if (places.interpreter) {
    return ofInterpreter(expanded(places.interpreter, places.folders));
  }
  const interpreters = [...(places.chosen ? [places.chosen] : []), ...inFolders(places.folders)];
  let first: Missing | undefined;
  for (const interpreter of interpreters) {
    try {
      return await ofInterpreter(interpreter);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      // A folder without an environment is no reason to complain about it.
      if (error.install) first ??= error;
    }
  }
  const onPath = await inSearchPath("zerograd-lint", places.searchPath);
  if (onPath) return [onPath];
  throw first ?? new Missing("zerograd-lint was not found.", `pip install "${PACKAGE}"`);
}

/** `~` and `${workspaceFolder}` as they are meant; VS Code leaves them to extensions. */
export function expanded(value: string, folders: readonly string[]): string {
  const home = value.replace(/^~(?=$|[\\/])/, () => homedir());
  return home.replace(/\$\{workspaceFolder\}/g, () => folders[0] ?? "");
}

function inFolders(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    [".venv", "venv"].map((name) => path.join(folder, name, ...IN_ENVIRONMENT)),
  );
}

async function ofInterpreter(interpreter: string): Promise<Program> {
  const install = `${quoted(interpreter)} -m pip install "${PACKAGE}"`;
  switch (await exitStatus(interpreter, ["-c", PROBE])) {
    case 0:
      return [interpreter, "-m", "zerograd_lint"];
    case 3:
      throw new Missing(`zerograd-lint is not installed in ${interpreter}.`, install);
    case 4:
      throw new Missing(`The zerograd-lint in ${interpreter} lacks its language server.`, install);
    default:
      throw new Missing(`The Python interpreter ${interpreter} cannot be run.`);
  }
}

async function executableFromSetting(file: string): Promise<string> {
  if (await isExecutable(file)) return file;
  throw new Missing(`The setting zerograd-lint.path is ${file}, which cannot be run.`);
}

async function inSearchPath(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, WINDOWS ? `${name}.exe` : name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The exit status of a short-lived program; undefined if it could not be run. */
function exitStatus(file: string, args: readonly string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: 20_000 }, (error) => {
      const code = error === null ? 0 : error.code;
      resolve(typeof code === "number" ? code : undefined);
    });
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
