module derny.dev/derny

go 1.22
