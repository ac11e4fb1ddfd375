module bodies

go 1.21
