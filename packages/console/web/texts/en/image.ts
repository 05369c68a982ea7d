/** An image. */
export const image = {
  tabs: {
    vulnerabilities: "Vulnerabilities",
    packages: "Packages",
    layers: "Layers",
    artifacts: "Artifacts",
    compare: "Compare",
  },
  platforms: "Platforms",
  choosePlatform: "This is a list of images. Choose one:",
  size: "Size",
  digest: "Digest",
  layers: { step: "Step", digest: "Layer", size: "Size", empty: "changes no file" },
  queued: "The image waits to be scanned. The page shows the result when it is there.",
  failed: (reason: string) => `The image could not be scanned: ${reason}`,
  unsupported: "This artifact is no image that can be scanned.",
  tooLarge: "A layer of the image is too large to be scanned.",
  jobs: "See the jobs of the registry",
  off: "Scanning is switched off in this registry.",
} as const;
