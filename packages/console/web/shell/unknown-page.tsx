import { Link } from "wouter";
import { texts } from "../texts/texts.ts";

/** The page for an unknown address. */
export function UnknownPage() {
  return (
    <>
      <h1>{texts.shell.unknownTitle}</h1>
      <p>{texts.shell.unknown}</p>
      <Link href="/">{texts.shell.toHome}</Link>
    </>
  );
}
