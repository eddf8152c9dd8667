import { expect } from "chai";
import { camelKeys, camelPath, snakeKeys } from "../../../provider/arguments/casing";

const WIRE = {
  repo_url: "x",
  listener_config: { k8s_namespace: "agents" },
  resource_spec: {
    db_storage_gi: 5,
    labels: { team_name: "a", teamName: "b" },
    sidecars: [{ name: "proxy", imagePullPolicy: "Always", env: [{ name: "MY_NAME" }] }],
    volumes: [{ name: "v", emptyDir: { sizeLimit_x: 1 } }],
  },
};
const PROPS = {
  repoUrl: "x",
  listenerConfig: { k8sNamespace: "agents" },
  resourceSpec: {
    dbStorageGi: 5,
    labels: WIRE.resource_spec.labels,
    sidecars: WIRE.resource_spec.sidecars,
    volumes: WIRE.resource_spec.volumes,
  },
};

describe("crossing between snake_case and camelCase", () => {
  it("goes from the wire to the program and leaves users' and Kubernetes' names alone", () =>
    expect(camelKeys(WIRE)).to.deep.equal(PROPS));

  it("goes back to what it came from", () => expect(snakeKeys(PROPS)).to.deep.equal(WIRE));

  it("writes a place in a request as the user writes it", () => {
    expect(camelPath(["source_config", "resource_spec", "volumes", 0, "name"])).to.equal(
      "sourceConfig.resourceSpec.volumes[0].name",
    );
    expect(camelPath(["source_config", "resource_spec", "labels", "team_name"])).to.equal(
      "sourceConfig.resourceSpec.labels.team_name",
    );
  });
});
