module kernels

go 1.24
