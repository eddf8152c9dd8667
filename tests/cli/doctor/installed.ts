/** The subjects of what is installed, which differ from machine to machine. */
export const INSTALLED = ["Node", "Pulumi CLI", "package of the project", "Pulumi's SDK", "plugin"];
