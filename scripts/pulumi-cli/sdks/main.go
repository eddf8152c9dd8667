// Validates a schema of a Pulumi package and generates the SDK of one language from it, with the code generators of
// the module that the CLI is built from: `go run ./sdks <schema.json> <language> <folder>`.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	nodegen "github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	pygen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "the Pulumi SDK generator"

// generators holds the generator of each language.
var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return pygen.GeneratePackage(tool, pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodegen.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
}

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("usage: sdks <schema.json> <language> <folder>"))
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func generate(schemaPath, language, folder string) error {
	generator, ok := generators[language]
	if !ok {
		return fmt.Errorf("%s is not a language: python, go or nodejs", language)
	}
	pkg, err := read(schemaPath)
	if err != nil {
		return err
	}
	files, err := generator(pkg)
	if err != nil {
		return fmt.Errorf("generate the SDK for %s: %w", language, err)
	}
	for path, content := range files {
		if err := write(filepath.Join(folder, path), content); err != nil {
			return err
		}
	}
	return nil
}

// read reads a schema and checks it by Pulumi's own rules.
func read(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	pkg, problems, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, fmt.Errorf("validate %s: %w", path, err)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("validate %s: %w", path, problems)
	}
	return pkg, nil
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
