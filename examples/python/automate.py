"""Runs the program by Pulumi's Automation API, in the selected stack: `python automate.py up`, `preview`, `destroy`."""

import sys

from pulumi import automation
from support import deploy

workspace = automation.LocalWorkspace(work_dir=".", program=deploy)
selected = workspace.stack()
if selected is None:
    sys.exit("select a stack first: pulumi stack select")
stack = automation.Stack.select(selected.name, workspace)
getattr(stack, sys.argv[1])(on_output=print)
