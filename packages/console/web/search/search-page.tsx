import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "wouter";
import { useOperation } from "../api/use-operation.ts";
import { isVulnerabilityId } from "../places.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { AffectedLink } from "../vulnerabilities/affected-link.tsx";
import { type FoundThing, nameOf, pathOf } from "./found-names.ts";
import { ImagesWith } from "./images-with.tsx";

/** The search page: everything whose name contains the text in the address. */
export function SearchPage() {
  const [text, setText] = useSearchParam("q");
  const options = { enabled: text !== "", placeholderData: keepPreviousData };
  const found = useOperation("GET /find/all", { query: { query: text } }, options);
  return (
    <>
      <h1>{texts.search.title}</h1>
      <input
        type="search"
        aria-label={texts.shell.search}
        value={text}
        maxLength={255}
        onChange={({ target }) => setText(target.value)}
      />
      {isVulnerabilityId(text.trim()) && (
        <p>
          <AffectedLink id={text.trim()} text={texts.vulnerability.look(text.trim())} />
        </p>
      )}
      {text === "" ? (
        <p className="empty">{texts.search.prompt}</p>
      ) : (
        <Answered query={found}>
          {({ results }) =>
            results.length === 0 ? (
              <p className="empty">{texts.search.none(text)}</p>
            ) : (
              <ul className="results">
                {results.map((result) => (
                  <li key={`${result.kind} ${nameOf(result)}`}>
                    <Found result={result} />
                  </li>
                ))}
              </ul>
            )
          }
        </Answered>
      )}
      <ImagesWith />
    </>
  );
}

/** A link to a result of a search, and its kind. */
function Found({ result }: { readonly result: FoundThing }) {
  const { kinds } = texts.search;
  return (
    <>
      <Link href={pathOf(result)}>{nameOf(result)}</Link>{" "}
      <small>{kinds[result.kind as keyof typeof kinds] ?? result.kind}</small>
    </>
  );
}
