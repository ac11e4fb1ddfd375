// Stands in for benchmark/_http-benchmarkers.js where the genuine common.js asks for it: the port, and no look-up of tools.
'use strict';

exports.PORT = Number(process.env.PORT) || 12346;
