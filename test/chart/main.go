// Prints what Helm makes of a chart, for tests: its CRDs, then its templates by name. It is Helm's
// own code that reads the chart, checks the values against its schema, and renders.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
)

func main() {
	log.SetOutput(io.Discard) // Helm tells of each symbolic link
	flags := pflag.NewFlagSet("chart", pflag.ExitOnError)
	name := flags.String("name", "fairlead", "of the release")
	namespace := flags.String("namespace", "default", "of the release")
	set := flags.StringArray("set", nil, "NAME=VALUE, as helm's; may be repeated")
	_ = flags.Parse(os.Args[1:])
	release := chartutil.ReleaseOptions{
		Name: *name, Namespace: *namespace, IsInstall: true, Revision: 1,
	}
	if err := render(flags.Args(), release, *set); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func render(args []string, release chartutil.ReleaseOptions, set []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d arguments, expected a chart's directory", len(args))
	}
	chart, err := loader.Load(args[0])
	if err != nil {
		return err
	}
	if err := chart.Validate(); err != nil {
		return err
	}
	values := map[string]any{}
	for _, each := range set {
		if err := strvals.ParseInto(each, values); err != nil {
			return fmt.Errorf("--set %s: %w", each, err)
		}
	}
	merged, err := chartutil.ToRenderValues(chart, values, release,
		chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	rendered, err := engine.Render(chart, merged)
	if err != nil {
		return err
	}
	for _, crd := range chart.CRDObjects() {
		fmt.Printf("---\n# %s\n%s\n", crd.Filename, crd.File.Data)
	}
	var names []string
	for each := range rendered {
		names = append(names, each)
	}
	slices.Sort(names)
	for _, each := range names {
		if strings.TrimSpace(rendered[each]) != "" {
			fmt.Printf("---\n# %s\n%s\n", each, rendered[each])
		}
	}
	return nil
}
