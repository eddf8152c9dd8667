interface Owner {
  readonly urn: string;
  /** Before it was renamed: the resource's outputs keep this URN until they are next written. */
  readonly formerUrn: string | undefined;
}

/** A create that has not succeeded. */
interface Create {
  /** The name of the deployment, unique in the workspace. A provider process has one workspace. */
  readonly name: string;
  readonly hasFailed: boolean;
}

/**
 * The owner of each deployment, as far as one provider process has seen. A deployment that one resource has
 * adopted must not be deleted by another, as a resource does that is renamed without an alias.
 */
export class Owners {
  /** By deployment id. */
  readonly #owners = new Map<string, readonly Owner[]>();
  /** By URN of the resource. */
  readonly #creates = new Map<string, Create>();

  own(id: string, urn = "", formerUrn?: string): void {
    const others = this.#ownersOf(id).filter((owner) => ![urn, formerUrn].includes(owner.urn));
    this.#owners.set(id, [...others, { urn, formerUrn }]);
    this.#creates.delete(urn);
  }

  /** The URN of the deployment's owner where `urn` is the one from before it was renamed, else `urn`. */
  currentUrn(id: string, urn = ""): string {
    return this.#ownersOf(id).find(({ formerUrn }) => formerUrn === urn)?.urn ?? urn;
  }

  isOwner(id: string, urn = ""): boolean {
    return this.#ownersOf(id).some((owner) => owner.urn === urn);
  }

  otherOwner(id: string, urn = ""): string | undefined {
    return this.#ownersOf(id).find((owner) => owner.urn !== urn)?.urn;
  }

  /** Starts a create, or returns the URN of another resource that is creating a deployment of this name. */
  startCreate(name: string, urn = ""): string | undefined {
    const [rival] = this.#otherCreates(name, urn).find(([, { hasFailed }]) => !hasFailed) ?? [];
    if (rival === undefined) this.#creates.set(urn, { name, hasFailed: false });
    return rival;
  }

  failCreate(name: string, urn = ""): void {
    this.#creates.set(urn, { name, hasFailed: true });
  }

  /** The URN of another resource whose create of this name has failed or is running. */
  unfinishedCreate(name: string, urn = ""): string | undefined {
    return this.#otherCreates(name, urn)[0]?.[0];
  }

  #ownersOf(id: string): readonly Owner[] {
    return this.#owners.get(id) ?? [];
  }

  #otherCreates(name: string, urn: string): [string, Create][] {
    return [...this.#creates].filter(([other, create]) => other !== urn && create.name === name);
  }
}
