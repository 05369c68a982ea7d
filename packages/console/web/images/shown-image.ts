import { createContext, useContext } from "react";

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
