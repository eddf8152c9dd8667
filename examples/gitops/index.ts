import * as pulumi from "@pulumi/pulumi";
import { deploySupport } from "./support";

export const { url, release, revision, commit } = deploySupport(new pulumi.Config());
