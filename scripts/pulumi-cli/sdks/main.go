// Validates a schema of a Pulumi package and generates the SDK of one language from it, with the code generators of
// the module that the CLI is built from: `go run ./sdks <schema.json> <language> <folder>`.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	pygen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "the Pulumi SDK generator"

func main() {
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(path, language, folder string) error {
	var spec schema.PackageSpec
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &spec)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	pkg, problems, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err == nil && len(problems) > 0 {
		err = problems
	}
	if err != nil {
		return fmt.Errorf("validate %s: %w", path, err)
	}
	var files map[string][]byte
	if language == "go" {
		files, err = gogen.GeneratePackage(tool, pkg, nil)
	} else {
		files, err = pygen.GeneratePackage(tool, pkg, nil, nil)
	}
	for name, content := range files {
		target := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return err
}
