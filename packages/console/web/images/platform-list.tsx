import { Link } from "wouter";
import { imagePath } from "../places.ts";
import { Digest } from "../shared/digest.tsx";
import { texts } from "../texts/texts.ts";
import { platformsOf, type ShownManifest } from "./shown-manifest.ts";

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly manifest: ShownManifest;
}

/** The images of an image index, by platform. */
export function PlatformList({ namespace, repository, manifest }: Props) {
  return (
    <section aria-labelledby="platforms">
      <h2 id="platforms">{texts.image.platforms}</h2>
      <p>{texts.image.choosePlatform}</p>
      <ul className="results">
        {platformsOf(manifest).map(({ digest, platform }) => (
          <li key={digest}>
            <Link href={imagePath(namespace, repository, { kind: "digest", digest })}>{platform}</Link>{" "}
            <Digest digest={digest} />
          </li>
        ))}
      </ul>
    </section>
  );
}
