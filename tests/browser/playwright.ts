// The part of Playwright that the tests use: it is installed for them alone, so the repository has no types of it.

interface Finder {
  locator(selector: string): Locator;
  getByText(text: string, options?: { exact?: boolean }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp }): Locator;
}

interface Locator extends Finder {
  click(): Promise<void>;
  count(): Promise<number>;
  innerText(): Promise<string>;
  first(): Locator;
  waitFor(options?: { state?: "hidden" }): Promise<void>;
}

interface Route {
  abort(reason: "connectionrefused"): Promise<void>;
  continue(): Promise<void>;
  fulfill(response: { status: number; body: string }): Promise<void>;
}

export interface Page extends Finder {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  title(): Promise<string>;
  content(): Promise<string>;
  evaluate(expression: string): Promise<unknown>;
  waitForFunction(expression: string): Promise<unknown>;
  waitForResponse(matches: (response: { status(): number }) => boolean): Promise<unknown>;
  route(url: string, answer: (route: Route) => Promise<void>): Promise<void>;
  waitForURL(url: string | RegExp): Promise<void>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
}

export interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Browser {
  newContext(options?: object): Promise<Context>;
  close(): Promise<void>;
}

export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}
