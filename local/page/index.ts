export { pageLink } from "./keys";
export { PageServer } from "./server";
