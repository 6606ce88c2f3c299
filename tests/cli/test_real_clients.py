"""The tools people will use it through, each really run; skipped where one cannot be had.

These few tests build environments and talk to package registries, so they are slow.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .conftest import BUGGY, FIXED, Lint

ROOT = Path(__file__).parents[2]
HOOKS = ".pre-commit-hooks.yaml"
SCHEMA_PACKAGE = "@microsoft/sarif-multitool-linux"


def _needs(module: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


def _run(*command: str, cwd: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, **more)


def _git(*arguments: str, cwd: Path) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = _run("git", *identity, *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This very tree as a committed repository, as a user would clone it."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    listed = _run("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=ROOT)
    if listed.returncode != 0:
        pytest.skip("not run from a git checkout")
    folder = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    _git("init", "-q", cwd=folder)
    _git("add", "-A", cwd=folder)
    _git("commit", "-q", "-m", "all", cwd=folder)
    return folder


@_needs("jsonschema")
def test_sarif_validates_against_the_official_schema(
    lint: Lint, project: Path, request: pytest.FixtureRequest
) -> None:
    import jsonschema

    schema = _official_schema(request)
    (project / "train.py").write_text(BUGGY)
    (project / "sp ace é.py").write_text(BUGGY)
    (project / "broken.py").write_text("import torch\nloss.backward(\nopt.step()\n")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": BUGGY}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "nb.ipynb").write_text(json.dumps(notebook))
    for arguments in ([], ["--select", "ALL"], ["--ignore", "ALL", "train.py"]):
        report = json.loads(lint("--output-format", "sarif", *arguments).out)
        jsonschema.Draft7Validator(schema).validate(report)


def _official_schema(request: pytest.FixtureRequest) -> Any:
    cached = request.config.cache.mkdir("sarif") / "sarif-2.1.0.json"  # type: ignore[union-attr]
    if not cached.is_file():
        if shutil.which("npm") is None:
            pytest.skip("npm, which brings the schema, is not installed")
        done = _run("npm", "pack", "--silent", SCHEMA_PACKAGE, cwd=cached.parent, timeout=120)
        if done.returncode != 0:
            pytest.skip(f"{SCHEMA_PACKAGE} cannot be downloaded")
        archive = cached.parent / done.stdout.split()[-1]
        with tarfile.open(archive) as package:
            member = package.extractfile("package/sarif-2.1.0.json")
            assert member is not None
            cached.write_bytes(member.read())
        archive.unlink()
    return json.loads(cached.read_text(encoding="utf-8-sig"))


@_needs("pre_commit")
def test_pre_commit_runs_both_hooks(checkout: Path, project: Path) -> None:
    home = os.environ | {"PRE_COMMIT_HOME": str(project.parent / "pre-commit")}

    pre_commit = (sys.executable, "-m", "pre_commit")

    def hook(name: str) -> subprocess.CompletedProcess[str]:
        command = (*pre_commit, "run", name, "--all-files", "--verbose")
        return _run(*command, cwd=project, env=home, timeout=170)

    assert _run(*pre_commit, "validate-manifest", HOOKS, cwd=checkout).returncode == 0
    revision = _run("git", "rev-parse", "HEAD", cwd=checkout).stdout.strip()
    hooks = "[{id: zerograd-lint}, {id: zerograd-lint-fix}, {id: zerograd-lint-docs}]"
    (project / ".pre-commit-config.yaml").write_text(
        f"repos: [{{repo: '{checkout}', rev: {revision}, hooks: {hooks}}}]\n"
    )
    _git("init", "-q", cwd=project)
    _git("add", ".pre-commit-config.yaml", cwd=project)
    nothing = hook("zerograd-lint")
    if "CalledProcessError" in nothing.stdout + nothing.stderr:
        pytest.skip("the hook's environment cannot be built here: no package index")
    assert nothing.returncode == 0
    assert "no files to check" in nothing.stdout

    (project / "train.py").write_text(BUGGY)
    _git("add", "train.py", cwd=project)
    tried = (*pre_commit, "try-repo", str(checkout), "zerograd-lint", "--all-files")
    for found in (hook("zerograd-lint"), _run(*tried, cwd=project, env=home, timeout=170)):
        assert found.returncode == 1
        assert "train.py:9:9: ZG001 " in found.stdout

    (project / "guide.rst").write_text(
        ".. code-block:: python\n\n" + "".join(f"   {line}\n" for line in BUGGY.splitlines())
    )
    _git("add", "guide.rst", cwd=project)
    documents = hook("zerograd-lint-docs")
    assert documents.returncode == 1
    assert "guide.rst:11:12: ZG001 " in documents.stdout
    assert "train.py" not in documents.stdout

    fixed = hook("zerograd-lint-fix")
    assert fixed.returncode == 1
    assert "files were modified by this hook" in fixed.stdout
    assert (project / "train.py").read_text() == FIXED
    _git("add", "train.py", cwd=project)
    assert hook("zerograd-lint").returncode == 0


@_needs("build")
def test_the_built_wheel_works_in_an_empty_environment(checkout: Path, project: Path) -> None:
    out = project.parent / "dist"
    built = _run(sys.executable, "-m", "build", "-o", str(out), cwd=checkout, timeout=170)
    if built.returncode != 0 and "hatchling" in built.stdout + built.stderr:
        pytest.skip("hatchling cannot be downloaded")
    assert built.returncode == 0, built.stdout + built.stderr
    wheel = next(out.glob("*.whl"))
    assert next(out.glob("*.tar.gz")).stat().st_size > 0
    with zipfile.ZipFile(wheel) as content:
        examples = [name for name in content.namelist() if "/_examples/" in name]
    assert 0 < len(examples) < 100
    assert all(name.endswith(".py.txt") for name in examples)
    environment = project.parent / "empty"
    venv.create(environment, with_pip=True)
    python = str(environment / ("Scripts" if os.name == "nt" else "bin") / "python")
    installed = _run(python, "-m", "pip", "install", "-q", str(wheel), cwd=project, timeout=170)
    if installed.returncode != 0:
        pytest.skip("the dependencies cannot be downloaded")
    (project / "train.py").write_text(BUGGY)
    command = str(Path(python).with_name("zerograd-lint"))
    checked = _run(command, "check", "train.py", cwd=project)
    assert (checked.returncode, checked.stdout[:19]) == (1, "train.py:9:9: ZG001")
    explained = _run(command, "rule", "--all", cwd=project)
    assert explained.returncode == 0
    here = _run(sys.executable, "-m", "zerograd_lint", "rule", "--all", cwd=project)
    assert explained.stdout == here.stdout
    listed = _run(command, "rules", cwd=project).stdout
    assert listed == _run(sys.executable, "-m", "zerograd_lint", "rules", cwd=project).stdout
    packages = next(environment.rglob("site-packages"))
    scan = _run(command, "check", "--exclude", "", str(packages / "zerograd_lint"), cwd=project)
    assert (scan.returncode, scan.stdout) == (0, "All checks passed!\n")
    for shared in ("man/man1/zerograd-lint.1", "bash-completion/completions/zerograd-lint"):
        assert (environment / "share" / shared).is_file()
    flake8 = _run(python, "-m", "flake8", "--select", "ZG", "train.py", cwd=project)
    assert flake8.stdout.startswith("train.py:9:9: ZG001 ")
    assert _run(command, "check", "--fix", "--unsafe-fixes", cwd=project).returncode == 0
    assert (project / "train.py").read_text() == FIXED


@_needs("pylsp")
def test_pylsp_shows_findings_in_an_unsaved_buffer(project: Path) -> None:
    bin_folder = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": bin_folder + os.pathsep + os.environ["PATH"]}
    server = subprocess.Popen(
        [sys.executable, "-m", "pylsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=project,
        env=environment,
    )
    try:
        _send(server, "initialize", {"rootUri": project.as_uri(), "capabilities": {}}, number=1)
        _wait_for(server, lambda message: message.get("id") == 1)
        _send(server, "initialized", {})
        quiet = {name: {"enabled": False} for name in ("pycodestyle", "pyflakes", "mccabe")}
        plugins = {"flake8": {"enabled": True}, **quiet}
        settings = {"pylsp": {"plugins": plugins}}
        _send(server, "workspace/didChangeConfiguration", {"settings": settings})
        document = {
            "uri": (project / "never_saved.py").as_uri(),
            "languageId": "python",
            "version": 1,
            "text": BUGGY,
        }
        _send(server, "textDocument/didOpen", {"textDocument": document})
        published = _wait_for(
            server,
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and any(d.get("code") == "ZG001" for d in message["params"]["diagnostics"])
            ),
        )
    finally:
        server.kill()
        server.wait()
    found = [d for d in published["params"]["diagnostics"] if d["code"] == "ZG001"]
    assert len(found) == 1
    assert found[0]["range"]["start"] == {"line": 8, "character": 8}
    assert "optimizer.step()" in found[0]["message"]


def _send(
    server: subprocess.Popen[bytes], method: str, params: Any, *, number: int | None = None
) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    assert server.stdin is not None
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def _wait_for(server: subprocess.Popen[bytes], wanted: Any) -> Any:
    """The next message that is wanted; the server's end is the end of the test."""
    assert server.stdout is not None
    while True:
        length = 0
        while line := server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the language server closed its output"
        message = json.loads(server.stdout.read(length))
        if wanted(message):
            return message


@_needs("yaml")
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_actions_own_steps(checkout: Path, project: Path) -> None:
    """The shell of action.yml, step by step as a runner would run it, up to uploading."""
    import yaml

    action = yaml.safe_load((checkout / "action.yml").read_text())
    steps = {step.get("name"): step for step in action["runs"]["steps"]}
    for step in action["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), "pinned by hash"
    summary = project.parent / "summary.md"

    def run(name: str, **variables: str) -> tuple[str, dict[str, str]]:
        output = project.parent / "output"
        output.write_text("")
        files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        given = {key: variables.get(key, "") for key in steps[name]["env"]}
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
        environment = {"PATH": os.environ["PATH"], "HOME": str(project.parent), **files, **given}
        index = {k: v for k, v in os.environ.items() if k.startswith("PIP_")}
        folder = project / variables.get("WITHIN", ".")
        done = _run(*shell, steps[name]["run"], cwd=folder, env={**environment, **index})
        if done.returncode != 0 and name == "Install":
            pytest.skip("the dependencies cannot be downloaded")
        assert done.returncode == 0, done.stderr
        lines = output.read_text().splitlines()
        return done.stdout, dict(line.split("=", 1) for line in lines)

    folder = project.parent / "runner"
    installed = run("Install", HERE=str(checkout), FOLDER=str(folder), PYTHON=sys.executable)[1]
    (project / "src").mkdir()
    (project / "src" / "train.py").write_text(BUGGY)
    (project / "src" / "fine.py").write_text(FIXED)
    common = {
        "COMMAND": installed["command"],
        "ZEROGRAD_LINT_CACHE_DIR": installed["cache"],
        "SUMMARY": "true",
        "WITHIN": ".",
    }
    annotations, outputs = run("Check", **common, PATHS="src/train.py src/fine.py", UPLOAD="true")
    assert annotations.startswith("::error title=zerograd-lint ZG001,file=src/train.py,line=9,")
    assert outputs == {"status": "1", "sarif": "zerograd-lint.sarif"}
    assert len(json.loads((project / "zerograd-lint.sarif").read_text())["runs"][0]["results"]) == 1
    assert Path(installed["cache"]).is_dir()
    written = summary.read_text()
    assert "src/train.py:9:9: ZG001 " in written
    assert "Found 1 error." in written
    inside = {**common, "WITHIN": "src", "SARIF": "out.sarif"}
    assert run("Check", **inside, PATHS="fine.py") == (
        "",
        {"status": "0", "sarif": "src/out.sarif"},
    )
    ignoring = {**common, "ARGS": "--ignore ZG001", "SUMMARY": "false"}
    assert run("Check", **ignoring, PATHS="src")[1]["status"] == "0"
    assert summary.read_text().count("### zerograd-lint") == 2
    assert steps["Result"]["run"] == 'exit "$STATUS"'
