import { findThirdParty as ofDpkg } from "../ecosystems/dpkg/third-party.ts";
import { findThirdParty as ofRpm } from "../ecosystems/rpm/vendors.ts";

/** What a document states about who made a package. */
export interface StatedMaker {
  /** The type of its package URL. */
  readonly type: string;
  readonly version: string;
  /** The maintainer of a Debian package, the vendor of an rpm; undefined or empty if that is not stated. */
  readonly maker: string | undefined;
}

/** Who made a package, if the distribution did not, by the rules by which packages of images are recognized; undefined otherwise. */
export function thirdPartyOf({ type, version, maker }: StatedMaker): string | undefined {
  const stated = isMaker(maker) ? maker : undefined;
  if (type === "deb") return ofDpkg({ maintainer: stated, version });
  return type === "rpm" ? ofRpm(stated) : undefined;
}

/** Whether a text names who made a package. */
export function isMaker(maker: string | undefined): maker is string {
  return maker !== undefined && maker !== "" && maker.length <= maxMakerLength && !notStated.has(maker);
}

const maxMakerLength = 500;
const notStated: ReadonlySet<string> = new Set(["NOASSERTION", "NONE", "(none)"]);

/** `Organization: Docker (support@docker.com)` of SPDX as the package itself has it: `Docker <support@docker.com>`. */
export function makerOfAgent(agent: string): string {
  const [, name, address] = /^(?:Organization|Person): (.*?)(?: ?\(([^()\s@]*@[^()\s@]*)\))?$/s.exec(agent) ?? [];
  if (name === undefined) return agent;
  return address === undefined ? name : `${name} <${address}>`;
}
