// What each operation takes and gives, by its name as in "GET /games/{game_id}". `types.d.ts` is made of a server's
// description, beside this file: `npx openapi-typescript http://127.0.0.1:8000/api/v1/openapi.json -o types.d.ts`.
import type { components, paths } from "./types.d.ts";

export type Schemas = components["schemas"];

type Base = "/api/v1";
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Short<Path> = Path extends Base ? "/" : Path extends `${Base}${infer Rest}` ? Rest : Path;
type Long<Path> = keyof paths & (Path extends "/" ? Base : Path | `${Base}${Path & string}`);
type Operation<Name> = Name extends `${infer Verb} ${infer Path}`
  ? paths[Long<Path>][Lowercase<Verb> & keyof paths[Long<Path>]]
  : never;

/** The names of all operations. */
export type Names = {
  [Path in keyof paths]: {
    [Verb in Method]: paths[Path][Lowercase<Verb>] extends { responses: unknown } ? `${Verb} ${Short<Path>}` : never;
  }[Method];
}[keyof paths];

type Known<Part> = [NonNullable<Part>] extends [never] ? {} : NonNullable<Part>;
type Fields<Body> = Known<Body> extends { content: { "application/json": infer Inside } } ? Inside : {};

/** What stands in the path, the query and the body of an operation. */
export type Takes<Name> =
  Operation<Name> extends { parameters: { query?: infer Query; path?: infer Place }; requestBody?: infer Body }
    ? Known<Query> & Known<Place> & Fields<Body>
    : never;

type Good = 200 | 201 | 202 | 204;
type Held<Kinds> = "image/gif" extends keyof Kinds ? Blob : Kinds[keyof Kinds];

/** What an operation answers. */
export type Gives<Name> =
  Operation<Name> extends { responses: infer All }
    ? { [Code in Good & keyof All]: All[Code] extends { content: infer Kinds } ? Held<Kinds> : null }[Good & keyof All]
    : never;

/** What the list holds that an operation answers; the answers that are lines of JSON count among them. */
export type Row<Name> =
  Name extends "GET /replays/export" ? Schemas["RecordLine"]
  : Name extends "GET /replays/{game_id}/states" ? Schemas["ReplayState"]
  : Gives<Name> extends (infer One)[] ? One : never;
