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
      action: "create listener",
      subject: body.compute_id,
      method: "POST",
      path: "/v2/listeners",
      body,
      response: (schema) => schema.Listener,
    });
  }

  get(id: string, options?: CallOptions): Promise<Listener> {
    return this.#transport.request({
      ...options,
      action: "get listener",
      subject: id,
      method: "GET",
      path: path`/v2/listeners/${id}`,
      response: (schema) => schema.Listener,
    });
  }

  /** Every listener, newest first. */
  list(options?: CallOptions): AsyncIterable<Listener> {
    return list<Listener>(this.#transport, {
      ...options,
      action: "list listeners",
      method: "GET",
      path: "/v2/listeners",
      response: (schema) => schema.ListenersList,
    });
  }

  update(id: string, body: UpdateListener, options?: CallOptions): Promise<Listener> {
    return this.#transport.request({
      ...options,
      action: "update listener",
      subject: id,
      method: "PATCH",
      isRepeatable: true,
      path: path`/v2/listeners/${id}`,
      body,
      response: (schema) => schema.Listener,
    });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      action: "delete listener",
      subject: id,
      method: "DELETE",
      path: path`/v2/listeners/${id}`,
      response: (schema) => schema.NoContent,
    });
  }
}
