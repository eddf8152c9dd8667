import { expect } from "chai";
import { Activity } from "../../../local/admin/activity";

describe("the activity of agent servers", () => {
  it("is another number after each request, of its deployment and of all, and of no other", () => {
    const activity = new Activity();
    const numbers = () => ["a", "b"].map((id) => activity.of(id));
    expect([activity.all, ...numbers()]).to.deep.equal([0, 0, 0]);
    for (const id of ["a", "a", "b"]) activity.note(id);
    expect([activity.all, ...numbers()]).to.deep.equal([3, 2, 1]);
  });
});
