/** Parser of server-sent events. */

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** The frames in batches as they arrive; `alive` is called for every chunk of data, including heartbeats. */
export async function* frames(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<readonly Frame[]> {
  const reader = body.getReader();
  const parser = new FrameParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      const found = parser.feed(decoder.decode(value, { stream: true }));
      if (found.length > 0) yield found;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Assembles frames from text chunks of any size. */
export class FrameParser {
  private rest = "";
  private id: string | null = null;
  private event = "";
  private data: string[] = [];

  /** The frames that `text` completes. */
  feed(text: string): Frame[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    const found: Frame[] = [];
    for (const line of lines) {
      if (line === "") this.complete(found);
      else this.line(line);
    }
    return found;
  }

  private line(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.data.push(value);
    else if (name === "event") this.event = value;
    else if (name === "id") this.id = value;
  }

  private complete(found: Frame[]): void {
    if (this.data.length > 0) found.push({ id: this.id, event: this.event || "message", data: this.data.join("\n") });
    this.event = "";
    this.data = [];
  }
}
