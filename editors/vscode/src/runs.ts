/** Runs `audit` and `verify` on the file in view, in a terminal, and shows their page. */

import * as path from "node:path";
import * as vscode from "vscode";

import type { Program } from "./environment";
import { showReport } from "./report";

/** Run one of the two commands; true if the program came to an end. */
export async function run(
  command: "audit" | "verify",
  program: Program,
  file: vscode.Uri,
  reports: vscode.Uri,
): Promise<boolean> {
  const name = path.basename(file.fsPath);
  const report = vscode.Uri.joinPath(reports, command, `${name}.html`);
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(report, ".."));
  await vscode.workspace.fs.delete(report).then(undefined, () => undefined);
  const steps = vscode.workspace.getConfiguration("zerograd-lint", file).get("steps", 200);
  const [executable, ...start] = program;
  const words = [...start, command, "--steps", String(steps), "--report", report.fsPath];
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const task = new vscode.Task(
    { type: "zerograd-lint", command },
    folder ?? vscode.TaskScope.Global,
    `${command} ${name}`,
    "zerograd-lint",
    new vscode.ProcessExecution(executable, [...words, file.fsPath], {
      cwd: path.dirname(file.fsPath),
    }),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
  const ended = await end(await vscode.tasks.executeTask(task));
  if (ended) await showReport(report);
  return ended;
}

/** Wait for a task; true if its process has come to an end by itself. */
function end(execution: vscode.TaskExecution): Promise<boolean> {
  return new Promise((resolve) => {
    const listeners = [
      vscode.tasks.onDidEndTaskProcess((event) => {
        if (event.execution === execution) finish(event.exitCode !== undefined);
      }),
      vscode.tasks.onDidEndTask((event) => {
        // The event about the process, if there is one, comes first or right after.
        if (event.execution === execution) setTimeout(() => finish(false), 500);
      }),
    ];
    const finish = (ended: boolean): void => {
      for (const listener of listeners) listener.dispose();
      resolve(ended);
    };
  });
}
