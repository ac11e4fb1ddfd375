module derny/build

go 1.22
