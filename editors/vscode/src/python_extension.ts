/** The interpreter chosen in Microsoft's Python extension, where that is installed. */

import * as vscode from "vscode";

/** The part of its interface that is used here. */
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function load(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  return extension === undefined ? undefined : extension.activate();
}

export async function chosenInterpreter(): Promise<string | undefined> {
  const environments = (await load())?.environments;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = environments?.getActiveEnvironmentPath(folder);
  const resolved = active && (await environments?.resolveEnvironment(active));
  return resolved?.executable.uri?.fsPath;
}

export async function onDidChooseInterpreter(then: () => void): Promise<vscode.Disposable> {
  const environments = (await load())?.environments;
  return environments?.onDidChangeActiveEnvironmentPath(then) ?? new vscode.Disposable(() => {});
}
