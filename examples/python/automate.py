"""Runs the program by Pulumi's Automation API, in the selected stack: `python automate.py up`, `preview`, `refresh`, `destroy`."""

import sys

from pulumi import automation
from support import deploy

if sys.argv[1:] not in (["up"], ["preview"], ["refresh"], ["destroy"]):
    sys.exit(__doc__)
workspace = automation.LocalWorkspace(work_dir=".", program=deploy)
selected = workspace.stack()
if selected is None:
    sys.exit("select a stack first: pulumi stack select")
stack = automation.Stack.select(selected.name, workspace)
getattr(stack, sys.argv[1])(on_output=print)
