/** A name and a secret of the registry itself. */
export interface BuilderCredentials {
  readonly username: string;
  readonly password: string;
}

/** An image that is to be built and pushed. */
export interface BuildOrder {
  /** A tar archive, compressed with gzip or not. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** Path in the archive, beginning with a slash. */
  readonly dockerfilePath: string;
  /** The folder of the archive that the Dockerfile copies from, beginning with a slash. */
  readonly context: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** Epoch milliseconds: when the image says that it was created, so that a repeated build makes the same image. */
  readonly createdAt: number;
  /** Where the registry is found. */
  readonly registry: { readonly scheme: "http" | "https"; readonly host: string };
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  readonly tags: readonly string[];
  /** What images of this registry are pulled with. */
  readonly pull: BuilderCredentials;
  readonly push: BuilderCredentials;
}

/** Progress of a build. */
export type BuildProgress =
  | { readonly kind: "phase"; readonly phase: "unpacking" | "pulling" | "building" | "pushing" }
  | { readonly kind: "output"; readonly lines: readonly string[] }
  | { readonly kind: "pushed"; readonly digest: string };

/** Builds images and pushes them. */
export interface ImageBuilder {
  /**
   * Builds an image. What was started ends within a second of the signal's abortion, and nothing is left behind.
   * @throws BuildError for what no further attempt would change
   */
  build(order: BuildOrder, options: { readonly signal: AbortSignal }): AsyncIterable<BuildProgress>;
}

/** Reads git repositories. */
export interface GitArchives {
  /**
   * The files of a commit, without submodules, as a tar archive. What was started ends with the signal, and nothing is left behind.
   * @param source.url `https:`, without credentials; its host may be asked
   * @throws BuildError for a repository or a reference that cannot be read
   */
  open(
    source: { readonly url: string; readonly ref: string },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<Uint8Array>;
}

/**
 * An image cannot be built as it is described. The message is for those who asked for it.
 * @example
 * throw new BuildError("the Dockerfile names no base image");
 */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
