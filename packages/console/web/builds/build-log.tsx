import { useEffect, useRef } from "react";
import { Answered } from "../shared/answered.tsx";
import { texts } from "../texts/texts.ts";
import { type Build, type LogLine, phaseText, useBuildLog } from "./build-calls.ts";

const words = texts.builds;

/** The log of a build, updated while it runs. */
export function BuildLog({ repository, build }: { readonly repository: string; readonly build: Build }) {
  const log = useBuildLog(repository, build);
  return (
    <section aria-labelledby="build-log">
      <h3 id="build-log">{words.log(build.display_name)}</h3>
      {build.error !== null && <p className="failure">{build.error}</p>}
      <Answered query={log}>
        {({ lines }) =>
          lines.length === 0 ? <p className="empty">{words.noLog}</p> : <Lines text={lines.map(textOf).join("\n")} />
        }
      </Answered>
    </section>
  );
}

/** The lines of the log. While the view is at the end, it scrolls with new lines. */
function Lines({ text }: { readonly text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text may be longer than the visible part
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={place}
      className="log"
      role="log"
      aria-labelledby="build-log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8;
      }}
    >
      {text}
    </pre>
  );
}

function textOf({ type, message }: LogLine): string {
  if (type === "phase") return words.phaseLine(phaseText(message));
  return type === "error" ? words.errorLine(message) : message;
}
