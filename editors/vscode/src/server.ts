/** Starts and stops the language server, and says what is missing where it cannot start. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { findProgram, Missing, type Program } from "./environment";
import { chosenInterpreter } from "./python_extension";
import { showReport } from "./report";

const SCHEMES = ["file", "untitled", "vscode-notebook-cell"];

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** One start or stop after another. */
  private queue: Promise<void> = Promise.resolve();
  private complaint: string | undefined;

  constructor(readonly log: vscode.LogOutputChannel) {}

  /** Start, or start again with what the settings and the environment say now. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stop();
      if (!settings().get<boolean>("enable")) return;
      try {
        await this.start(await this.program());
      } catch (error) {
        this.complain(error);
      }
    });
    return this.queue;
  }

  /** The zerograd-lint that belongs to this workspace; `Missing` if there is none. */
  async program(): Promise<Program> {
    return findProgram({
      path: settings().get("path", ""),
      interpreter: settings().get("interpreter", ""),
      chosen: await chosenInterpreter(),
      folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      searchPath: process.env["PATH"] ?? "",
    });
  }

  /** Run one of the server's commands; undefined if there is no server. */
  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    await this.queue;
    return this.client?.sendRequest("workspace/executeCommand", { command, arguments: args });
  }

  /** Have everything looked at again, since files have changed that no watcher sees. */
  async refresh(): Promise<void> {
    await this.queue;
    await this.client?.sendNotification("workspace/didChangeWatchedFiles", { changes: [] });
  }

  /** Say once what is wrong, with the command that mends it at hand. */
  complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    if (message === this.complaint) return;
    this.complaint = message;
    void offerHelp(message, error instanceof Missing ? error.install : undefined, this.log);
  }

  dispose(): void {
    void this.stop();
  }

  private async start(program: Program): Promise<void> {
    const [command, ...args] = program;
    this.log.info(`starting ${[...program, "server"].join(" ")}`);
    this.client = new LanguageClient(
      "zerograd-lint",
      "zerograd-lint",
      { command, args: [...args, "server"] },
      this.options(),
    );
    await this.client.start();
    this.complaint = undefined;
    const { name, version } = this.client.initializeResult?.serverInfo ?? { name: "server" };
    this.log.info(`${name} ${version ?? ""} is running`);
  }

  private options(): LanguageClientOptions {
    const python = SCHEMES.map((scheme) => ({ scheme, language: "python" }));
    return {
      documentSelector: [...python, { scheme: "file", language: "markdown" }],
      outputChannel: this.log,
      middleware: {
        window: {
          showDocument: async (params, token, next) => {
            const uri = vscode.Uri.parse(params.uri);
            if (!uri.path.endsWith(".html")) return next(params, token);
            return { success: await showReport(uri) };
          },
        },
      },
    };
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`the server did not stop as it should: ${String(error)}`);
    }
  }
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("zerograd-lint");
}

async function offerHelp(
  message: string,
  install: string | undefined,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const inTerminal = "Install in a terminal";
  const copy = "Copy the command";
  const openSettings = "Settings";
  const openLog = "Log";
  const text = install ? `${message} Install it with: ${install}` : message;
  const offered = install ? [inTerminal, copy, openSettings] : [openSettings, openLog];
  const chosen = await vscode.window.showErrorMessage(text, ...offered);
  if (chosen === inTerminal && install) {
    const terminal = vscode.window.createTerminal("zerograd-lint");
    terminal.show();
    terminal.sendText(install);
  } else if (chosen === copy && install) {
    await vscode.env.clipboard.writeText(install);
  } else if (chosen === openSettings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "zerograd-lint");
  } else if (chosen === openLog) {
    log.show();
  }
}
