"""Prints the plan of a Python build, as JSON: what langgraph_cli would write into a Dockerfile, or why it refuses.

Reading, checks and rules are the public tool's own.
"""

import copy
import json
import pathlib
import sys

from langgraph_cli import config as cli
from langgraph_cli.uv_lock import _plan_uv_lock_workspace


def read_plan(path):
    config = cli.validate_config_file(path)
    # The name of the image asks PyPI for the versions in a range; this platform has no image.
    checked = {name: value for name, value in copy.deepcopy(config).items() if name != "api_version"}
    cli.config_to_docker(path, checked)
    if config["source"]:
        lock = _plan_uv_lock_workspace(path, config)
        steps = [step(package.root, "--no-deps", "-e", ".") for package in lock.install_order]
        return {"steps": steps, "lock": {"root": str(lock.project_root), "package": lock.target.name}}
    local = cli._assemble_local_deps(path, config)
    requirements = [name for name in config["dependencies"] if not name.startswith(".")]
    steps = [step(file.parent, "-r", file.name) for file, _ in local.pip_reqs]
    steps += [step(folder, "-e", ".") for folder in local.real_pkgs]
    return {
        "steps": [step("/", *requirements), *steps] if requirements or not steps else steps,
        "unread": [str(file) for folder in local.real_pkgs if (file := folder / "requirements.txt").exists()],
        "folders": [
            {"path": str(folder), "isPackage": not place.endswith("/src")}
            for folder, (_, place) in local.faux_pkgs.items()
        ],
    }


def step(folder, *packages):
    return {"cwd": str(folder), "packages": packages}


try:
    print(json.dumps(read_plan(pathlib.Path(sys.argv[1]))))
except Exception as error:  # The tool raises errors of many kinds for what it refuses.
    print(json.dumps({"refusal": str(error) or repr(error)}))
