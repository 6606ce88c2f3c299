/** zerograd-lint in VS Code: the language server, and commands around it. */

import * as vscode from "vscode";

import { onDidChooseInterpreter } from "./python_extension";
import { run } from "./runs";
import { Server } from "./server";

const RESTARTING = ["enable", "path", "interpreter"].map((key) => `zerograd-lint.${key}`);

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("zerograd-lint", { log: true });
  const server = new Server(log);
  const reports = vscode.Uri.joinPath(context.globalStorageUri, "reports");

  const runHere = async (command: "audit" | "verify"): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !(await document.save())) return;
    try {
      await run(command, await server.program(), document.uri, reports);
    } catch (error) {
      server.complain(error);
    }
    await server.refresh();
  };
  const commands: Record<string, () => unknown> = {
    restart: () => server.restart(),
    fixAll: () =>
      vscode.commands.executeCommand("editor.action.codeAction", {
        kind: "source.fixAll.zerograd",
        apply: "first",
      }),
    audit: () => runHere("audit"),
    verify: () => runHere("verify"),
    showProofReport: () =>
      server.execute("zerograd-lint.showProof", vscode.window.activeTextEditor?.document.uri.toString()),
    showLog: () => log.show(),
  };
  for (const [name, command] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`zerograd-lint.${name}`, command));
  }
  context.subscriptions.push(
    log,
    server,
    await onDidChooseInterpreter(() => void server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (RESTARTING.some((key) => event.affectsConfiguration(key))) void server.restart();
    }),
  );
  await server.restart();
}
