/** Does work where this machine's time is that of Tokyo. */
export async function inTokyo<Result>(work: () => Result): Promise<Awaited<Result>> {
  const { TZ } = process.env;
  process.env["TZ"] = "Asia/Tokyo";
  try {
    return await work();
  } finally {
    if (TZ === undefined) delete process.env["TZ"];
    else process.env["TZ"] = TZ;
  }
}
