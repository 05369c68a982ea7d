import type { Platform } from "@plimsoll/core/platform";
import type { UpstreamRepository } from "./upstreams.ts";

/** Credentials for the registry itself. */
export interface BuilderCredentials {
  readonly username: string;
  readonly password: string;
}

/** An image to build and push. */
export interface BuildOrder {
  /** A tar archive, compressed with gzip or not. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** Path in the archive, beginning with a slash. */
  readonly dockerfilePath: string;
  /** The folder of the archive that the Dockerfile copies from, beginning with a slash. */
  readonly context: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** The creation time in the image, in epoch milliseconds: given, so that a repeated build creates the same image. */
  readonly createdAt: number;
  /** The address of the registry. */
  readonly registry: { readonly scheme: "http" | "https"; readonly host: string };
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  readonly tags: readonly string[];
  /** For pulling base images from this registry. */
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
   * Builds an image. Stops all processes within a second after the signal is aborted, and removes all temporary files.
   * @throws BuildError for failures that another attempt would not change
   */
  build(order: BuildOrder, options: { readonly signal: AbortSignal }): AsyncIterable<BuildProgress>;
}

/** The registry itself, for builds. */
export interface OwnRegistry {
  readonly scheme: "http" | "https";
  /** With the port, if there is one. */
  readonly host: string;
  readonly login: BuilderCredentials;
}

/** The images that Dockerfiles begin with or copy from. */
export interface BaseImages {
  /** What is chosen from an image for several platforms. */
  readonly platform: Platform;
  /**
   * Opens a repository that a Dockerfile names. The registry itself is reached with the login of the build; other registries are
   * reached without credentials, and internal addresses are refused unless the settings allow them.
   */
  open(repository: { readonly host: string; readonly path: string }, own: OwnRegistry): Promise<UpstreamRepository>;
}

/** Reads git repositories. */
export interface GitArchives {
  /**
   * The files of a commit, without submodules, as a tar archive. Stops all processes when the signal is aborted, and removes all temporary files.
   * @param source.url `https:`, without credentials; the caller has checked that requests to its host are allowed
   * @throws BuildError for a repository or a reference that cannot be read
   */
  open(
    source: { readonly url: string; readonly ref: string },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<Uint8Array>;
}

/** The builder of a node that builds no images. */
export const noImageBuilder: ImageBuilder = {
  // biome-ignore lint/correctness/useYield: it refuses before the first step
  async *build() {
    throw new BuildError("This node builds no images");
  },
};

/** What reads git repositories at a node without git. */
export const noGitArchives: GitArchives = {
  // biome-ignore lint/correctness/useYield: it refuses before the first byte
  async *open() {
    throw new BuildError("This node cannot read git repositories: git is not installed");
  },
};

/**
 * An image cannot be built as it is described. The message is for the user who requested the build.
 * @example
 * throw new BuildError("the Dockerfile names no base image");
 */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
