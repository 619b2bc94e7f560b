// Creates and deploys a node with gophercloud:
//
//	baremetal-fake-server exec -- go run main.go
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/gophercloud/gophercloud/openstack/baremetal/noauth"
	"github.com/gophercloud/gophercloud/openstack/baremetal/v1/nodes"
	"github.com/gophercloud/gophercloud/openstack/baremetal/v1/ports"
)

func main() {
	client, err := noauth.NewBareMetalNoAuth(noauth.EndpointOpts{
		IronicEndpoint: os.Getenv("OS_ENDPOINT") + "/v1",
	})
	check(err)
	client.Microversion = "1.80"

	node, err := nodes.Create(client, nodes.CreateOpts{
		Driver: "fake-hardware",
		Name:   "node-1",
	}).Extract()
	check(err)
	_, err = ports.Create(client, ports.CreateOpts{
		NodeUUID: node.UUID,
		Address:  "52:54:00:00:00:01",
	}).Extract()
	check(err)

	for _, target := range []nodes.TargetProvisionState{
		nodes.TargetManage, nodes.TargetProvide, nodes.TargetActive,
	} {
		opts := nodes.ProvisionStateOpts{Target: target}
		check(nodes.ChangeProvisionState(client, node.UUID, opts).ExtractErr())
	}
	node, err = nodes.Get(client, node.UUID).Extract()
	check(err)
	fmt.Printf("%s is %s\n", node.Name, node.ProvisionState)

	// An error is one of gophercloud's own.
	_, err = nodes.Get(client, "nowhere").Extract()
	fmt.Printf("%T\n", err)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
