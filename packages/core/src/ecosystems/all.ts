import type { Ecosystem } from "../plugins.ts";
import { apk } from "./apk/index.ts";
import { dpkg } from "./dpkg/index.ts";
import { linux } from "./linux/index.ts";
import { rpm } from "./rpm/index.ts";

/** Every ecosystem that comes with the engine. */
export const allEcosystems: readonly Ecosystem[] = [linux, dpkg, apk, rpm];
