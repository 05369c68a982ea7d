import "swagger-ui-dist/swagger-ui.css";
// @ts-expect-error: the package has no types of this file
import bundle from "swagger-ui-dist/swagger-ui-es-bundle.js";

/** A request that Swagger UI is about to send. */
interface ExplorerRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Options {
  readonly domNode: HTMLElement | null;
  readonly url: string;
  readonly deepLinking: boolean;
  readonly docExpansion: "none";
  readonly filter: boolean;
  readonly validatorUrl: null;
  readonly requestInterceptor: (request: ExplorerRequest) => Promise<ExplorerRequest>;
}

/** Renders the operations of an API in an element. @see https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
export const SwaggerUI = bundle as (options: Options) => void;
