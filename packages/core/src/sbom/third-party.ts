import { thirdPartyIn } from "../distributions/shared/find.ts";
import type { Release } from "../distributions/shared/known-distribution.ts";
import { findThirdParty as ofDpkg } from "../ecosystems/dpkg/third-party.ts";
import { parseMaintainer, thirdPartyOfPackager, vendorOfMaintainer } from "../ecosystems/linux/vendors.ts";
import { findThirdParty as ofRpm } from "../ecosystems/rpm/vendors.ts";
import { statedText } from "./stated-text.ts";

/** What a document states about who made a package. */
export interface StatedMaker {
  /** The type of its package URL. */
  readonly type: string;
  readonly version: string;
  /** The maintainer of a Debian package, the vendor of an rpm; undefined or empty if that is not stated. */
  readonly maker: string | undefined;
  /** The distribution that the document names for the package. */
  readonly distribution: Pick<Release, "did"> | undefined;
}

/** Who made a package, if the distribution did not, by the rules by which packages of images are recognized; undefined otherwise. */
export function thirdPartyOf({ type, version, maker, distribution }: StatedMaker): string | undefined {
  const stated = isMaker(maker) ? maker : undefined;
  if (type === "rpm") return ofRpm(stated, distribution);
  return thirdPartyIn(findMaker(type, version, stated), distribution);
}

function findMaker(type: string, version: string, maintainer: string | undefined): string | undefined {
  switch (type) {
    case "deb":
      return ofDpkg({ maintainer, version });
    case "apk":
      return vendorOfMaintainer(parseMaintainer(maintainer ?? ""));
    case "alpm":
      return thirdPartyOfPackager(maintainer);
    default:
      return undefined;
  }
}

/** Whether a text names who made a package. */
export function isMaker(maker: string | undefined): maker is string {
  return statedText(maker) !== "" && (maker?.length ?? 0) <= maxMakerLength;
}

const maxMakerLength = 500;

/** `Organization: Docker (support@docker.com)` of SPDX as the package itself has it: `Docker <support@docker.com>`. */
export function makerOfAgent(agent: string): string {
  const [, name, address] = /^(?:Organization|Person): (.*?)(?: ?\(([^()\s@]*@[^()\s@]*)\))?$/s.exec(agent) ?? [];
  if (name === undefined) return statedText(agent);
  if (statedText(name) === "") return "";
  return address === undefined ? name : `${name} <${address}>`;
}
