package main

import (
	"context"
	"fmt"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	controllersv1 "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
)

// All its kinds but MPIJob, whose v1 is not the MPI operator's v2beta1, though of one name.
var trainingOperator = project{
	addToScheme: []func(*runtime.Scheme) error{kubeflow.AddToScheme},
	without:     []string{"mpijobs.kubeflow.org"},
	setUp: func(_ context.Context, mgr ctrl.Manager) error {
		config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
		config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
		config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault
		for _, kind := range []string{
			kubeflow.JAXJobKind, kubeflow.PaddleJobKind, kubeflow.PyTorchJobKind, kubeflow.TFJobKind,
			kubeflow.XGBoostJobKind,
		} {
			reconciler := controllersv1.SupportedSchemeReconciler[kind]
			if err := reconciler(mgr, common.GenNonGangSchedulerSetupFunc(), 1); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			if err := webhooks.SupportedSchemeWebhook[kind](mgr); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
		}
		return nil
	},
}
