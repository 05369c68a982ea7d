/**
 * The globals that `core` uses. Every supported platform (Node, browsers, workers) has them. They are declared here because
 * `core` compiles without the types of any platform.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array | ArrayBuffer, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input: string): Uint8Array<ArrayBuffer>;
}

declare function atob(base64: string): string;
declare function btoa(binary: string): string;

/** Newer platforms decode and encode base64 themselves, several times as fast. */
interface Uint8ArrayConstructor {
  fromBase64?(base64: string): Uint8Array<ArrayBuffer>;
}
interface Uint8Array {
  toBase64?(): string;
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, unknown>);
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

declare var AbortSignal: {
  any(signals: Iterable<AbortSignal>): AbortSignal;
};

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare var URL: {
  canParse(url: string): boolean;
};
