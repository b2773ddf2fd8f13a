package main

import (
	"context"
	"errors"

	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app/options"
	mpi "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	clientset "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned"
	clientscheme "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned/scheme"
	mpiinformers "github.com/kubeflow/mpi-operator/pkg/client/informers/externalversions"
	mpicontroller "github.com/kubeflow/mpi-operator/pkg/controller"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// It has informers of its own instead of the manager's, which here begins and ends it.
var mpiOperator = project{
	addToScheme: []func(*runtime.Scheme) error{mpi.AddToScheme},
	setUp:       setUpMPI,
}

func setUpMPI(ctx context.Context, mgr ctrl.Manager) error {
	// It tells events by the usual scheme.
	if err := clientscheme.AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	jobs, err := clientset.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	jobFactory := mpiinformers.NewSharedInformerFactory(jobs, 0)
	core := factory.Core().V1()
	operator, err := mpicontroller.NewMPIJobController(ctx, client, jobs, nil, nil,
		core.ConfigMaps(), core.Secrets(), core.Services(), factory.Batch().V1().Jobs(), core.Pods(),
		factory.Scheduling().V1().PriorityClasses(), jobFactory.Kubeflow().V2beta1().MPIJobs(),
		&options.ServerOption{Threadiness: 2, ControllerRateLimit: 100, ControllerBurst: 100})
	if err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		factory.Start(ctx.Done())
		jobFactory.Start(ctx.Done())
		if err := operator.Run(2, ctx.Done()); err != nil {
			return err
		}
		if ctx.Err() == nil {
			return errors.New("the MPI operator ended by itself")
		}
		return nil
	}))
}
