// Enrols a node and gives it maintenance while it is changed: "right", or with the bug that the
// argument names.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

type node struct {
	State string `json:"provision_state"`
	Error string `json:"last_error"`
}

var bug = os.Args[1]

// send sends a request once; the status is 0 if its answer is lost.
func send(method, path, body string) (int, []byte) {
	request, err := http.NewRequest(method, os.Getenv("OS_ENDPOINT")+"/v1/"+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-OpenStack-Ironic-API-Version", "1.90")
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil
	}
	return answer.StatusCode, content
}

// ask sends a request again as long as its answer is lost or says so.
func ask(method, path, body string) (int, []byte) {
	var status int
	var content []byte
	for try := 0; try < 5; try++ {
		status, content = send(method, path, body)
		if status != 0 && status != 409 && status != 429 && status < 500 {
			break
		}
	}
	return status, content
}

// need fails unless the answer has the status.
func need(wanted, status int, what string) {
	if status != wanted {
		log.Fatalf("%s: %d", what, status)
	}
}

func show() node {
	status, content := ask("GET", "nodes/rack1", "")
	need(200, status, "no node")
	var found node
	if err := json.Unmarshal(content, &found); err != nil {
		log.Fatal(err)
	}
	return found
}

// move asks for a verb, and waits for the state that it leads to.
func move(verb, state string) {
	ask("PUT", "nodes/rack1/states/provision", `{"target": "`+verb+`"}`)
	for try := 0; bug == "polls-for-ever" || try < 10; try++ {
		if show().State == state {
			return
		}
	}
	log.Fatal("not " + state)
}

func main() {
	if status, _ := ask("GET", "nodes/rack1", ""); status == 404 {
		ask("POST", "nodes", `{"name": "rack1", "driver": "fake-hardware"}`)
	}
	if state := show().State; state == "enroll" || state == "clean failed" {
		move("manage", "manageable")
	}
	if show().State == "manageable" {
		move("provide", "available")
	}
	status, _ := ask("PUT", "nodes/rack1/maintenance", "{}")
	need(202, status, "no maintenance")
	patch := `[{"op": "add", "path": "/description", "value": "first rack"}]`
	if bug == "leaves-maintenance" {
		if status, _ = send("PATCH", "nodes/rack1", patch); status != 200 {
			return
		}
	} else {
		status, _ = ask("PATCH", "nodes/rack1", patch)
		need(200, status, "not changed")
	}
	if bug == "takes-any-answer" {
		send("DELETE", "nodes/rack1/maintenance", "")
		return
	}
	status, _ = ask("DELETE", "nodes/rack1/maintenance", "")
	need(202, status, "still in maintenance")
}
