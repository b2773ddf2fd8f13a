package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	loopback     = "127.0.0.1"
	fieldManager = "controllers"

	establishTimeout = 60 * time.Second
	pollInterval     = 50 * time.Millisecond
)

// install applies the CustomResourceDefinitions among a project's manifests, and its webhooks which
// are to be served here. Everything else there is about running it in a pod.
func install(ctx context.Context, config *rest.Config, name string, o settings) (
	webhooks bool, err error) {
	objects, err := readManifests(o.manifests)
	if err != nil {
		return false, err
	}
	server, err := client.New(config, client.Options{})
	if err != nil {
		return false, err
	}
	for _, object := range objects {
		if slices.Contains(projects[name].without, object.GetName()) {
			continue
		}
		definition := object.GetKind() == "CustomResourceDefinition"
		switch object.GetKind() {
		case "CustomResourceDefinition":
			// Conversion would ask a Service; there is one version each.
			unstructured.RemoveNestedField(object.Object, "spec", "conversion")
		case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
			webhooks = true
			if err := callHere(object, name, o); err != nil {
				return webhooks, err
			}
		default:
			continue
		}
		if err := server.Patch(ctx, object, client.Apply, client.ForceOwnership,
			client.FieldOwner(fieldManager)); err != nil {
			return webhooks, fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if !definition {
			continue
		}
		if err := waitUntilEstablished(ctx, server, object); err != nil {
			return webhooks, err
		}
	}
	return webhooks, nil
}

func readManifests(dir string) ([]*unstructured.Unstructured, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no manifests in %s", dir)
	}
	var objects []*unstructured.Unstructured
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
		for {
			object := &unstructured.Unstructured{}
			if err := decoder.Decode(&object.Object); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if object.Object != nil {
				objects = append(objects, object)
			}
		}
	}
	return objects, nil
}

// callHere makes the API server call webhooks in this process, instead of a Service, and gives their
// configuration a name that no other project has.
func callHere(object *unstructured.Unstructured, name string, o settings) error {
	if o.webhooks == 0 {
		return fmt.Errorf("%s has webhooks: --webhooks says no port, and --certs no certificate", name)
	}
	authority, err := os.ReadFile(filepath.Join(o.certs, "ca.crt"))
	if err != nil {
		return err
	}
	object.SetName(name + "." + object.GetName())
	object.SetNamespace("")
	webhooks, _, err := unstructured.NestedSlice(object.Object, "webhooks")
	if err != nil {
		return err
	}
	for _, each := range webhooks {
		webhook, is := each.(map[string]any)
		if !is {
			return fmt.Errorf("%s: a webhook is no mapping", object.GetName())
		}
		path, _, err := unstructured.NestedString(webhook, "clientConfig", "service", "path")
		if err != nil {
			return err
		}
		webhook["clientConfig"] = map[string]any{
			"url":      fmt.Sprintf("https://%s:%d%s", loopback, o.webhooks, path),
			"caBundle": base64.StdEncoding.EncodeToString(authority),
		}
	}
	return unstructured.SetNestedSlice(object.Object, webhooks, "webhooks")
}

func waitUntilEstablished(ctx context.Context, server client.Client,
	definition *unstructured.Unstructured) error {
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	for {
		if err := server.Get(ctx, client.ObjectKeyFromObject(definition), definition); err != nil {
			return err
		}
		conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
		for _, each := range conditions {
			condition, _ := each.(map[string]any)
			if condition["type"] == "Established" && condition["status"] == "True" {
				ctrl.Log.Info("established", "definition", definition.GetName())
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not established", definition.GetName())
		case <-time.After(pollInterval):
		}
	}
}
