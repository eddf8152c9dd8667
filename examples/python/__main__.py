"""What `pulumi up` runs."""

from support import deploy

deploy()
