import { createContext, useContext } from "react";
import type { getRepoManifestSecurity } from "../api/generated/secscan.ts";
import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

/** The image whose findings are shown. */
export interface ShownImage {
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  /** Of the manifest. */
  readonly digest: string;
}

/** Tells the parts of a page which image it shows. */
export const ShownImageContext = createContext<ShownImage>({ repository: "", digest: "" });

/** The image whose findings are shown. */
export function useShownImage(): ShownImage {
  return useContext(ShownImageContext);
}

/** What became of the scan of an image. */
export type ScanStatus = ResultOf<typeof getRepoManifestSecurity>["status"];

/** Why there is no result of a scan. */
export function withoutResult(status: ScanStatus, reason = ""): string {
  switch (status) {
    case "failed":
      return texts.image.failed(reason);
    case "unsupported":
      return texts.image.unsupported;
    case "manifest_layer_too_large":
      return texts.image.tooLarge;
    case "queued":
    case "scanned":
      return texts.image.queued;
  }
}
