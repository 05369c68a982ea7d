import "./explorer.css";
import { useEffect, useRef, useState } from "react";
import { sessionHeaders } from "../api/call.ts";
import { Failure } from "../shared/failure.tsx";
import { loaded } from "../shared/lazily.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";

/** The addresses of the OpenAPI documents. */
const documents = { registry: "/api/v1/discovery", scanner: "/openapi/v1" } as const;

/** Every operation of the registry's and the scanner's API, to read and to try in the visitor's session. */
export function Explorer() {
  const [view] = useSearchParam("view");
  const current = namedOrFirst(documents, view);
  return (
    <>
      <h1>{texts.explorer.title}</h1>
      <Tabs label={texts.explorer.title} tabs={texts.explorer.tabs} current={current} />
      <p>{texts.explorer.about[current]}</p>
      <Operations key={current} url={documents[current]} />
    </>
  );
}

/** Swagger UI, loaded when it is first shown: it is larger than the rest of the console. */
function Operations({ url }: { readonly url: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (error === undefined) show(place.current, url).catch(setError);
  }, [url, error]);
  if (error !== undefined) return <Failure error={error} retry={() => setError(undefined)} />;
  return <div ref={place} className="explorer" />;
}

async function show(domNode: HTMLElement | null, url: string): Promise<void> {
  const { SwaggerUI } = await loaded(import("./swagger-ui.ts"));
  SwaggerUI({
    domNode,
    url,
    deepLinking: true,
    docExpansion: "none",
    filter: true,
    validatorUrl: null,
    requestInterceptor: async (request) => ({
      ...request,
      headers: { ...request.headers, ...(await sessionHeaders(request.method ?? "GET")) },
    }),
  });
}
