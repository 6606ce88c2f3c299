"""The commands, by name."""

from __future__ import annotations

COMMANDS = {
    "check": "zerograd_lint.cli.check_command",
    "rule": "zerograd_lint.cli.rule_command",
    "explain": "zerograd_lint.cli.rule_command",
    "rules": "zerograd_lint.cli.rules_command",
    "audit": "zerograd_lint.runtime.commands.audit_command",
    "verify": "zerograd_lint.runtime.commands.verify_command",
    "server": "zerograd_lint.server.command",
    "generate-shell-completion": "zerograd_lint.cli.completion_command",
}
"""The module of every command, loaded when the command is called."""
