import * as pulumi from "@pulumi/pulumi";
import { deploySupport } from "./support";

export const { url, release, commit } = deploySupport(new pulumi.Config());
