package testing

const dernyVersion = "0.1.0"
