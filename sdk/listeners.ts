import { named, ofId } from "./call";
import { list } from "./pages";
import { path } from "./path";
import type { CreateListener, Listener, UpdateListener } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Listeners of a workspace (contract, "Endpoint groups"; the shapes are the public service's). */
export class Listeners {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateListener, options?: CallOptions): Promise<Listener> {
    return this.#transport.request({
      ...options,
      ...named("create listener", "POST", "/v2/listeners", body.compute_id),
      body,
      response: (schema) => schema.Listener,
    });
  }

  get(id: string, options?: CallOptions): Promise<Listener> {
    return this.#transport.request({
      ...options,
      ...named("get listener", "GET", path`/v2/listeners/${id}`, id),
      response: (schema) => ofId(schema.Listener, "id", id),
    });
  }

  /** Every listener, newest first. */
  list(options?: CallOptions): AsyncIterable<Listener> {
    return list<Listener>(this.#transport, {
      ...options,
      ...named("list listeners", "GET", "/v2/listeners"),
      response: (schema) => schema.ListenersList,
    });
  }

  update(id: string, body: UpdateListener, options?: CallOptions): Promise<Listener> {
    return this.#transport.request({
      ...options,
      ...named("update listener", "PATCH", path`/v2/listeners/${id}`, id),
      isRepeatable: true,
      body,
      response: (schema) => schema.Listener,
    });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete listener", "DELETE", path`/v2/listeners/${id}`, id),
      response: (schema) => schema.NoContent,
    });
  }
}
