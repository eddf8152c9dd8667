import type { CommandLine } from "../command-line";
import type { DoctorOptions } from "../doctor/doctor";
import { standardTerminal } from "../terminal/terminal";

/** Adds `doctor`, which checks what a deployment needs. */
export function addDoctorCommand(line: CommandLine, run = runDoctor): void {
  line
    .controlPlaneCommand("doctor", "doctor")
    .description(
      "check settings, control plane, agent servers and versions; it changes nothing, and prints no secret",
    )
    .action(({ json = false, ...where }) => run({ ...where, json }));
}

async function runDoctor(options: DoctorOptions): Promise<void> {
  const { diagnose } = await import("../doctor/doctor.js");
  await diagnose(options, standardTerminal());
}
