module kernels

go 1.21
