package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
)

// renderChart prints what Helm makes of a chart: its CRDs, then its templates by name. It is Helm's
// own code that reads the chart, merges and checks the values, and renders.
func renderChart(args []string) error {
	flags := pflag.NewFlagSet("chart", pflag.ExitOnError)
	namespace := flags.String("namespace", "default", "of the release")
	name := flags.String("name", "fairlead", "of the release")
	set := flags.StringArray("set", nil, "NAME=VALUE, as helm's; may be repeated")
	kube := flags.String("kube-version", "", "of the cluster that it is for; default: Helm's own")
	_ = flags.Parse(args)
	if flags.NArg() != 1 {
		return fmt.Errorf("chart: found %d arguments, expected a chart's directory", flags.NArg())
	}
	chart, err := loader.Load(flags.Arg(0))
	if err != nil {
		return err
	}
	if err := chart.Validate(); err != nil {
		return err
	}
	values := map[string]any{}
	for _, each := range *set {
		if err := strvals.ParseInto(each, values); err != nil {
			return fmt.Errorf("--set %s: %w", each, err)
		}
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	if *kube != "" {
		version, err := chartutil.ParseKubeVersion(*kube)
		if err != nil {
			return err
		}
		capabilities.KubeVersion = *version
	}
	release := chartutil.ReleaseOptions{Name: *name, Namespace: *namespace, IsInstall: true, Revision: 1}
	merged, err := chartutil.ToRenderValues(chart, values, release, capabilities)
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
		if strings.HasSuffix(each, ".yaml") && strings.TrimSpace(rendered[each]) != "" {
			fmt.Printf("---\n# %s\n%s\n", each, rendered[each])
		}
	}
	return nil
}

func main() {
	if err := renderChart(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}
