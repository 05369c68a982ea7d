import { Link } from "wouter";
import { texts } from "../texts/texts.ts";

/** An address that leads nowhere. */
export function UnknownPage() {
  return (
    <>
      <h1>{texts.shell.unknownTitle}</h1>
      <p>{texts.shell.unknown}</p>
      <Link href="/">{texts.shell.toHome}</Link>
    </>
  );
}
