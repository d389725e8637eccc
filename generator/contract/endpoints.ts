/** The names by which the proxy and its tests still call the operations. */
export { OPERATIONS as ENDPOINTS, type Operation as Endpoint } from "./operations.ts";
