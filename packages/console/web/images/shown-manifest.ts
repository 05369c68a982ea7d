import type { ResultOf } from "../api/operation.ts";

/** A manifest as the management API shows it. */
export type ShownManifest = ResultOf<"GET /repository/{repository}/manifest/{manifestref}">;

/** An image of an image index. */
export interface PlatformImage {
  readonly digest: string;
  /** Such as `linux/arm64/v8`; for an entry that is not an image, the kind of attestation. */
  readonly platform: string;
}

interface StoredIndex {
  readonly manifests?: readonly {
    readonly digest: string;
    readonly platform?: { readonly os?: string; readonly architecture?: string; readonly variant?: string };
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

/** The entries of an image index, in their order. */
export function platformsOf({
  manifest_data: content,
}: Pick<ShownManifest, "manifest_data">): readonly PlatformImage[] {
  const { manifests = [] } = JSON.parse(content) as StoredIndex;
  return manifests.map(({ digest, platform = {}, annotations = {} }) => {
    const { os, architecture, variant } = platform;
    const kind = annotations["vnd.docker.reference.type"];
    const names = [os, architecture, variant].filter((name) => name !== undefined && name !== "");
    return { digest, platform: kind ?? (names.length > 0 ? names.join("/") : "–") };
  });
}
