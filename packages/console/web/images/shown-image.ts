import { createContext, useContext } from "react";
import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

/** The image whose findings are shown. */
export interface ShownImage {
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  /** The digest of the image manifest. */
  readonly digest: string;
}

/** Provides the shown image to the parts of a page. */
export const ShownImageContext = createContext<ShownImage>({ repository: "", digest: "" });

/** The image whose findings are shown. */
export function useShownImage(): ShownImage {
  return useContext(ShownImageContext);
}

/** The status of an image's scan. */
export type ScanStatus = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/security/findings">["status"];

/** The text for a scan without a result. */
export function missingResultText(status: ScanStatus, reason = ""): string {
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
