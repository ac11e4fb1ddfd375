module derny.dev/examples

go 1.24

require derny.dev/derny v0.0.0

replace derny.dev/derny => ../sdk/go/derny
