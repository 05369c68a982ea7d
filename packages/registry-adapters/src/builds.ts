/** What builds images: buildah, and git for their sources. */
export { findGit, type GitOptions } from "./git/git-archives.ts";
export type { BuildLimits, BuildNetwork } from "./image-builder/build-folder.ts";
export { type BuildahOptions, findBuildah } from "./image-builder/buildah-builder.ts";
export type { ContextLimits } from "./image-builder/unpack-context.ts";
