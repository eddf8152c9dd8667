// The echo provider in Go, a floor of the bench `engine`: it takes every input as it comes, finds no difference and sends no
// request.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"

	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type provider struct {
	rpc.UnimplementedResourceProviderServer
	created atomic.Int64
}

func (*provider) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{}, nil
}

func (*provider) GetPluginInfo(context.Context, *emptypb.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: "1.0.0"}, nil
}

func (*provider) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{SupportsPreview: true}, nil
}

func (*provider) CheckConfig(_ context.Context, request *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: request.News}, nil
}

func (*provider) DiffConfig(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffResponse_DIFF_NONE}, nil
}

func (*provider) Check(_ context.Context, request *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: request.News}, nil
}

func (*provider) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffResponse_DIFF_NONE}, nil
}

func (p *provider) Create(_ context.Context, request *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return &rpc.CreateResponse{Id: fmt.Sprint(p.created.Add(1)), Properties: request.Properties}, nil
}

func (*provider) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := grpc.NewServer()
	rpc.RegisterResourceProviderServer(server, &provider{})
	// stdin closes when the engine exits.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	_ = server.Serve(listener)
}
