export { pageLink, pageOrigin } from "./keys";
export { PageServer } from "./server";
