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
        packages = [str(package.root) for package in lock.install_order]
        return {"packages": packages, "lock": {"root": str(lock.project_root), "package": lock.target.name}}
    local = cli._assemble_local_deps(path, config)
    return {
        "requirements": [name for name in config["dependencies"] if not name.startswith(".")],
        "requirementFiles": [str(file) for file, _ in local.pip_reqs],
        "packages": [str(folder) for folder in local.real_pkgs],
        "folders": [
            {"path": str(folder), "isPackage": not place.endswith("/src")}
            for folder, (_, place) in local.faux_pkgs.items()
        ],
    }


try:
    print(json.dumps(read_plan(pathlib.Path(sys.argv[1]))))
except Exception as error:  # The tool raises errors of many kinds for what it refuses.
    print(json.dumps({"refusal": str(error) or repr(error)}))
