/** Shows the pages that `audit` and `verify` write, inside VS Code. */

import * as path from "node:path";
import * as vscode from "vscode";

/** Show a page in a panel beside the code; whether that could be done. */
export async function showReport(file: vscode.Uri): Promise<boolean> {
  let page: string;
  try {
    page = Buffer.from(await vscode.workspace.fs.readFile(file)).toString("utf-8");
  } catch {
    return false;
  }
  const title = `Proof: ${path.basename(file.path, ".html")}`;
  const panel = vscode.window.createWebviewPanel(
    "zerograd-lint.report",
    title,
    vscode.ViewColumn.Beside,
  );
  panel.webview.html = page;
  return true;
}
