import type { Ecosystem } from "../plugins.ts";
import { apk } from "./apk/index.ts";
import { dotnet } from "./dotnet/index.ts";
import { dpkg } from "./dpkg/index.ts";
import { go } from "./go/index.ts";
import { java } from "./java/index.ts";
import { linux } from "./linux/index.ts";
import { npm } from "./npm/index.ts";
import { php } from "./php/index.ts";
import { python } from "./python/index.ts";
import { rpm } from "./rpm/index.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";

/** Every ecosystem that comes with the engine. */
export const allEcosystems: readonly Ecosystem[] = [
  linux,
  dpkg,
  apk,
  rpm,
  java,
  npm,
  python,
  go,
  rust,
  ruby,
  php,
  dotnet,
];
